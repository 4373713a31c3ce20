"""Writes the seeds of the corpus: small files of every kind, whole and broken. Not run by the build."""
import gzip
import io
import json
import pathlib
import struct
import zipfile

import numpy as np

here = pathlib.Path(__file__).parent / "corpus"


def put(kind, name, data):
    (here / kind).mkdir(exist_ok=True)
    (here / kind / name).write_bytes(data)


def npy(a, version=None, **kw):
    f = io.BytesIO()
    np.lib.format.write_array(f, np.asanyarray(a), version=version, **kw)
    return f.getvalue()


def raw(header, data=b"", version=1, length=None):
    header = header.encode()
    n = len(header) if length is None else length
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", n) + header + data


a = np.arange(6.0).reshape(3, 2)
for t in "<f2 >f2 <f4 >f4 <f8 >f8 |b1 |i1 >i2 <i8 >u8 <u4".split():
    put("npy", "type_" + t[1:] + {"<": "_le", ">": "_be", "|": ""}[t[0]], npy(a.astype(t)))
put("npy", "fortran", npy(np.asfortranarray(a)))
put("npy", "version_2", npy(a, (2, 0)))
put("npy", "version_3", npy(a, (3, 0)))
put("npy", "vector", npy(np.arange(3)))
put("npy", "scalar", npy(np.float32(1)))
put("npy", "no_rows", npy(np.zeros((0, 4))))
put("npy", "pickle", npy(np.array([{}]), allow_pickle=True))
put("npy", "records", npy(np.zeros(2, [("a", "f4")])))
put("npy", "truncated", npy(a)[:-1])
put("npy", "trailing", npy(a) + b"x")
put("npy", "empty", b"")
put("npy", "magic_only", b"\x93NUMPY")
put("npy", "header_2gb", raw("{}", version=2, length=2**31 - 1))
put("npy", "shape_overflow", raw("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n"))
put("npy", "shape_times_zero", raw("{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 4, 0), }\n"))
put("npy", "shape_negative", raw("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }\n"))
put("npy", "unclosed", raw("{'descr': '<f8', 'shape': (1,"))
put("npy", "unaligned", raw("{'descr':'<f8','fortran_order':False,'shape':(2,)}\n ", struct.pack("<2d", 0.25, 0.75)))
put("npy", "odd_bool", raw("{'descr':'|b1','fortran_order':False,'shape':(3,)}", b"\x00\x01\x07"))


def archive(method=zipfile.ZIP_STORED, **arrays):
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w", method) as z:
        for name, array in arrays.items():
            z.writestr(name + ".npy", npy(array))
    return f.getvalue()


both = {"logits": a.astype("f4"), "labels": np.array([0, 1, 1], "i1")}
stored, deflated = archive(**both), archive(zipfile.ZIP_DEFLATED, **both)
put("npz", "stored", stored)
put("npz", "deflated", deflated)
put("npz", "truncated", deflated[:-30])
put("npz", "no_directory", deflated[: deflated.find(b"PK\1\2")])
put("npz", "empty_archive", archive())
put("npz", "bad_crc", stored.replace(npy(both["labels"]), npy(np.array([1, 1, 1], "i1"))))
put("npz", "zeros", archive(zipfile.ZIP_DEFLATED, p=np.zeros(5000)))
f = io.BytesIO()
with zipfile.ZipFile(f, "w", zipfile.ZIP_DEFLATED) as z:
    with z.open("p.npy", "w", force_zip64=True) as m:
        m.write(npy(a))
put("npz", "zip64", f.getvalue())
files = here.parent.parent / "tests" / "read" / "files"
put("npz", "zip64_directory", (files / "archive_zip64_directory.npz").read_bytes())
put("npz", "bzip2", (files / "archive_bzip2.npz").read_bytes())
d = deflated.find(b"PK\1\2")
lie = bytearray(deflated)
lie[d + 24 : d + 28] = struct.pack("<I", 10**9)
put("npz", "claims_a_gigabyte", bytes(lie))
lie = bytearray(deflated)
lie[d + 24 : d + 28] = struct.pack("<I", 100)
put("npz", "claims_too_little", bytes(lie))
lie = bytearray(deflated)
lie[d + 42 : d + 46] = struct.pack("<I", 2**32 - 2)
put("npz", "member_far_away", bytes(lie))
lie = bytearray(deflated)
lie[d + 8] |= 1
put("npz", "encrypted", bytes(lie))
put("npz", "twice", archive(aa=a, bb=a).replace(b"bb.npy", b"aa.npy"))

for name, text in {
    "plain": "p_0,p_1,label\n0.25,0.75,1\n0.5,0.5,0\n",
    "crlf": "p,label\r\n0.25,1\r\n",
    "cr": "p,label\r0.25,1\r",
    "bom": "\ufeffp,label\n0.25,1\n",
    "semicolon": "p;label\n0.25;1\n",
    "tab": "p\tlabel\n 0.25 \t1\n",
    "bar": "p|label\n0.25|1\n",
    "words": "p_cat,p_dog,label\n0.25,0.75,dog\n0.5,0.5,cat\n",
    "quotes": '"p_a,b","p_""c",label\n"0.25",0.75,"a,b"\n0.5,0.5,"""c"\n',
    "break_in_quotes": 'p,note,label\n0.25,"one\ntwo",1\n0.5,x,0\n',
    "open_quote": 'p,label\n0.25,"1\n',
    "after_quote": 'p,label\n"0.25"x,1\n',
    "short_row": "a,b,c\n1,2\n",
    "long_row": "a,b\n1,2,3\n",
    "blank_line": "a,b\n1,2\n\n3,4\n",
    "blank_end": "a,b\n1,2\n\n\n",
    "empty_cell": "a,b\n1,\n",
    "no_header": "0.5,1\n0.25,0\n",
    "numbered": "0,1,2\n0.2,0.3,0.5\n",
    "hits": "conf,correct\n0.9,true\n0.8,False\n",
    "odd_numbers": "a,b\n+1,-0.0\n1e-400,1e400\nnan,-inf\n+-1,0x1p3\n1.5e,.\n",
    "comma_decimals": "p;label\n0,25;1\n",
    "same_names": "a,a\n1,2\n",
    "empty": "",
    "breaks": "\n\n\r\n",
}.items():
    put("csv", name, text.encode())
put("csv", "utf16", "p,label\n1,1\n".encode("utf-16"))
put("csv", "nul", b"p,l\x00abel\n1\x00,1\n")
put("npy", "text", npy(np.array(["cat", "dog", "cat"])))
put("npy", "text_be", npy(np.array(["c\u00e4t", "dog"]).astype(">U3")))
put("npy", "text_bytes", npy(np.array([b"cat", b"no"])))
put("npy", "text_width_0", raw("{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000000,), }\n"))
put("npy", "text_huge", raw("{'descr': '<U4294967296', 'fortran_order': False, 'shape': (4294967296,), }\n"))

for name, text in {
    "probs": '{"probs": [0.25, 0.75], "label": 1}\n{"probs": [0.5, 0.5], "label": 0}\n',
    "hits": '{"confidence": 0.9, "correct": true}\n{"confidence": 0.8, "correct": false}\n',
    "named": '{"probs": {"cat": 0.25, "dog": 0.75}, "label": "dog"}\n{"label": "cat", "probs": {"dog": 0.5, "cat": 0.5}}\n',
    "array": '[{"p": 0.25, "label": 1},\n {"p": 0.5, "label": 0}]\n',
    "columns": '{"p_0": 0.25, "p_1": 0.75, "label": 1}\r\n\r\n{"p_0": 0.5, "p_1": 0.5, "label": 0}\r\n',
    "escapes": '{"label": "\\u0063\\ud83d\\ude00\\n\\"", "p": 1e-5}\n',
    "python": '{"p": NaN, "z": [-Infinity, Infinity, 1]}\n',
    "nested": '{"p": 0.5, "x": {"y": [[1, {"z": null}]]}, "label": 1}\n',
    "bom": '\ufeff{"p": 0.5, "label": 1}\n',
    "null": '{"p": 0.5, "label": 1}\n{"p": null, "label": 1}\n',
    "lacks": '{"p": 0.5, "label": 1}\n{"p": 0.5}\n',
    "longer": '{"p": [0.5, 0.5]}\n{"p": [0.5, 0.25, 0.25]}\n',
    "twice": '{"p": 1, "p": 2}\n',
    "twice_later": '{"p": 1, "q": 2}\n{"p": 1, "p": 1, "q": 2}\n',
    "cut": '{"p": [0.5, 0.5], "label": 1}\n{"p": [0.5, 0',
    "comma": '{"p": 0.5,}\n',
    "quotes": '{"p": "0.5", "label": 1}\n',
    "mixed": '{"label": 1, "p": 1}\n{"label": "a", "p": 1}\n',
    "list_then_number": '{"p": [1, 2]}\n{"p": 1}\n',
    "number_then_list": '{"p": 1}\n{"p": [1, 2]}\n',
    "object_then_list": '{"p": {"a": 1}}\n{"p": [1]}\n',
    "deep": "{" + '"a":[' * 500 + "]" * 500 + "}",
    "empty": "",
    "blank": " \n\r\n",
    "empty_object": "{}\n",
    "open_array": '[{"p": 1}',
    "nul": '{"p": 1}\n\0{"p": 2}\n',
}.items():
    put("jsonl", name, text.encode())


def tensors(head, data=b"", length=None):
    head = head.encode() if isinstance(head, str) else json.dumps(head).encode()
    return struct.pack("<Q", len(head) if length is None else length) + head + data


three = np.array([0.25, 0.5, 1], "f4")
for t, a in {"F32": three, "F64": three.astype("f8"), "F16": three.astype("f2"), "I64": three.astype("i8"), "BOOL": three > 0.3,
             "BF16": (three.view("u4") >> 16).astype("u2"), "U8": three.astype("u1")}.items():
    put("safetensors", "type_" + t.lower(), tensors({"x": {"dtype": t, "shape": [3], "data_offsets": [0, a.nbytes]}}, a.tobytes()))
entry = {"dtype": "F32", "shape": [3], "data_offsets": [0, 12]}
put("safetensors", "metadata", tensors({"__metadata__": {"format": "pt"}, "x": entry}, three.tobytes()))
put("safetensors", "padded", tensors(json.dumps({"x": entry}) + "     ", three.tobytes()))
put("safetensors", "cut", tensors({"x": entry}, three.tobytes()[:-1]))
put("safetensors", "float8", tensors({"x": entry | {"dtype": "F8_E4M3"}}, three.tobytes()))
put("safetensors", "backwards", tensors({"x": entry | {"data_offsets": [12, 0]}}, three.tobytes()))
put("safetensors", "far_away", tensors({"x": entry | {"data_offsets": [2**52, 2**52 + 12]}}, three.tobytes()))
put("safetensors", "shape_overflow", tensors({"x": entry | {"shape": [2**32, 2**32, 4]}}, three.tobytes()))
put("safetensors", "shape_negative", tensors({"x": entry | {"shape": [-3]}}, three.tobytes()))
put("safetensors", "no_arrays", tensors("{}"))
put("safetensors", "twice", tensors('{"x":%s,"x":%s}' % (json.dumps(entry), json.dumps(entry)), three.tobytes()))
put("safetensors", "no_json", tensors("{nothing", three.tobytes()))
put("safetensors", "header_2gb", tensors({"x": entry}, three.tobytes(), length=2**31))
put("safetensors", "header_longer", tensors({"x": entry}, three.tobytes(), length=1000))
put("safetensors", "empty", b"")

table = gzip.compress(b"p,label\n0.25,1\n0.5,0\n", mtime=0)
put("gzip", "plain", table)
put("gzip", "two_members", gzip.compress(b"p,label\n0.25,1\n", mtime=0) + gzip.compress(b"0.5,0\n", mtime=0))
put("gzip", "cut", table[:-9])
put("gzip", "bad_sum", table[:-8] + b"\0" * 4 + table[-4:])
put("gzip", "trailing", table + b"x")
put("gzip", "not_packed", b"p,label\n0.25,1\n")
put("gzip", "empty", b"")
put("gzip", "one_byte", b"\x1f")
put("gzip", "magic_only", b"\x1f\x8b")
put("gzip", "zeros", gzip.compress(bytes(100000), mtime=0))
put("gzip", "no_table", gzip.compress(b"", mtime=0))


def sample(loglik, target="0", contexts=None, **more):
    """A line of lm-evaluation-harness."""
    contexts = contexts or ["Q"] * len(loglik)
    return {"doc_id": 0, "doc": {"subject": "law", "choices": ["a", "bc"]}, "target": target,
            "arguments": {f"gen_args_{i}": {"arg_0": c, "arg_1": " " + "ab"[i % 2] * (i % 2 + 1)} for i, c in enumerate(contexts)},
            "resps": [], "filtered_resps": [[str(x), "False"] for x in loglik], "filter": "none", "doc_hash": "h", "acc": 1.0} | more


def lines(*objects):
    return "".join(json.dumps(o) + "\n" for o in objects).encode()


put("llm", "harness", lines(sample([-1, -2], acc_norm=0.0), sample([-1.5, -0.5], "1", doc_id=1)))
put("llm", "harness_array", json.dumps([sample([-1, -2]) | {"target": 0, "filtered_resps": [[-1, False], [-2, True]],
                                                            "arguments": [["Q", " a"], ["Q", " b"]]}]).encode())
put("llm", "harness_mutual", lines(sample([-1, -2, -3, -4], contexts=["Q", "Q", "", ""], acc_mutual_info=1.0)))
put("llm", "harness_contexts", lines({"doc_id": 0, "target": "x", "filtered_resps": [["-1", "True"], ["-2", "False"]], "acc": 0.0,
                                      "arguments": [["a", " x"], ["b", " x"]]}))
put("llm", "harness_ragged", lines(sample([-1, -2]), sample([-3, -2, -1], "2", doc_id=1)))
put("llm", "harness_text", lines(sample([]) | {"filtered_resps": ["42"]}))
put("llm", "harness_cut", lines(sample([-1, -2]))[:-30])
put("llm", "harness_twice", lines(sample([-1, -2]), sample([-1, -2])))
token = {"token": " B", "logprob": -0.5, "bytes": [32, 66], "top_logprobs": [{"token": " B", "logprob": -0.5}, {"token": "A", "logprob": -1.5}]}
header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
taken = {"id": 1, "epoch": 1, "choices": ["x", "y"], "target": "B", "output": {"choices": [{"logprobs": {"content": [token]}}]},
         "scores": {"choice": {"value": "C", "answer": "B", "metadata": {"confidence": 0.9}}}, "metadata": {"subject": "law"}, "events": [[]]}


def log(method=zipfile.ZIP_DEFLATED, **members):
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w", method) as z:
        for name, value in members.items():
            z.writestr(name.replace("__", "/") + ".json", json.dumps(value))
    return f.getvalue()


put("llm", "inspect_json", json.dumps(header | {"samples": [taken, taken | {"id": "b", "scores": {"choice": {"value": 0, "answer": "B"}}}]}).encode())
put("llm", "inspect_eval", log(header=header, samples__1_epoch_1=taken))
put("llm", "inspect_stored", log(zipfile.ZIP_STORED, header=header, samples__1_epoch_1=taken))
put("llm", "inspect_parts", log(_journal__start=header, samples__1_epoch_1__sample=taken, samples__1_epoch_1__metadata={"k": 1}))
put("llm", "inspect_no_logprobs", log(header=header, samples__1_epoch_1=taken | {"output": {}, "scores": {"c": {"value": "C"}}}))
put("llm", "inspect_no_samples", log(header=header))
put("llm", "inspect_cut", log(header=header, samples__1_epoch_1=taken)[:-25])
whole = log(zipfile.ZIP_STORED, header=header, samples__1_epoch_1=taken)
d = whole.rfind(b"PK\1\2")
put("llm", "inspect_zstd", whole[:d + 10] + struct.pack("<H", 93) + whole[d + 12:])
end = whole.rfind(b"PK\5\6")  # the last entry of the directory again, under other names: the same bytes for many samples
entry, size = whole[d:end], struct.unpack("<I", whole[end + 12:end + 16])[0]
more = b"".join(entry.replace(b"1_epoch_1", b"%d_epoch_1" % i) for i in range(2, 10))
put("llm", "inspect_overlap", whole[:end] + more + whole[end:end + 8] + struct.pack("<HHII", 10, 10, size + len(more), struct.unpack("<I", whole[end + 16:end + 20])[0]) + b"\0\0")


def reply(body, **more):
    return {"custom_id": "q1", "response": {"status_code": 200, "body": body}, "error": None} | more


put("llm", "batch_chat", lines(reply({"choices": [{"logprobs": {"content": [token]}}]}), reply({"choices": [{"logprobs": {"content": [token]}}]}, custom_id="q2")))
put("llm", "batch_completion", lines(reply({"choices": [{"logprobs": {"tokens": ["A"], "top_logprobs": [{"A": -0.1, "B": -3}]}}]})))
put("llm", "batch_responses", lines(reply({"output": [{"type": "reasoning"}, {"content": [{"logprobs": [token]}]}]})))
put("llm", "batch_no_logprobs", lines(reply({"choices": [{"logprobs": None}]})))
put("llm", "batch_failed", lines(reply(None, response=None, error={"message": "expired"}), reply({"choices": [{"logprobs": {"content": [token]}}]}, custom_id="q2")))
put("llm", "deep", b'{"doc_id": 0, "filtered_resps": ' + b"[" * 500 + b"]" * 500 + b"}")
put("llm", "open_list", b'[{"doc_id": 0, "target": 0, "filtered_resps": [[-1, false], [-2, false]]}')
put("llm", "other_table", b'{"p": 0.5, "label": 1}\n')
put("llm", "empty", b"")

# The data set: two bytes (what the files are and how long pieces are; where the first file ends), then the files.
table = b"p_a,p_b,label\n0.25,0.75,b\n0.5,0.5,a\n0.33,0.66,b\n"
put("dataset", "one", b"\x10\0" + table)
put("dataset", "two", b"\x20" + bytes([(len(table) + 3) // 4]) + table.ljust((len(table) + 3) // 4 * 4, b"\n") + table)
put("dataset", "order", b"\x20\x0d" + table.ljust(52, b"\n") + b"p_b,p_a,label\n0.75,0.25,b\n")
put("dataset", "words", b"\x30\0prob,label\n0.5,1\n0.25,0\n75%,True\n0.5,no\n")
put("dataset", "quotes", b"\x10\0note,prob,label\n\"a\nb\",0.5,1\n5\" x,0.5,0\n")
put("dataset", "split", b"\x10\0split,prob,label\ntest,0.5,1\ntrain,0.5,0\n")
put("dataset", "gaps", b"\x14\0prob,label\n0.5,1\n,0\nNA,1\n0.25,0\n")
put("dataset", "r", b"\x10\0\"prob\" \"y\"\n\"1\" 0.5 1\n\"2\" 0.25 0\n")
put("dataset", "json", b"\x11\0" + b'{"probs": {"a": 0.25, "b": 0.75}, "label": "a"}\n{"label": "b", "probs": {"b": 0.5, "a": 0.5}}\n')
put("dataset", "json_array", b"\x21\0" + b'[{"conf": "90%", "correct": true},\n {"conf": 0.5, "correct": false}]')
put("dataset", "packed", b"\x12\0" + gzip.compress(table, mtime=0))
put("dataset", "arrays", b"\x13\0" + archive(probs=np.array([0.5, 0.25]), labels=np.array([1, 0])))
put("dataset", "question", b"\x10\0score,pred,label\n0.9,1,1\n0.2,0,1\n")
