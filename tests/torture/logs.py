"""The files of docs/guide/language_models.md, with rows of data/mmlu_llama13b.csv: as evaluation programs write them."""
import csv
import json
import math
import zipfile
from pathlib import Path

LETTERS = "ABCD"


def rows(root):
    """(probabilities of A to D, right answer, subject)"""
    with open(Path(root) / "data" / "mmlu_llama13b.csv", newline="") as file:
        return [([float(row[f"p_{x}"]) for x in LETTERS], row["label"], row["subject"]) for row in csv.DictReader(file)]


def harness_line(i, loglik, right, options, doc):
    """A line of samples_TASK_DATE.jsonl of lm-evaluation-harness 0.4.3 and later."""
    resps = [[repr(x), "False"] for x in loglik]
    norm = [x / len(o) for x, o in zip(loglik, options)]
    return json.dumps({
        "doc_id": i, "doc": doc, "target": str(right), "resps": [[x] for x in resps], "filtered_resps": resps, "filter": "none",
        "arguments": {f"gen_args_{j}": {"arg_0": f"Question {i}\nAnswer:", "arg_1": f" {o}"} for j, o in enumerate(options)},
        "metrics": ["acc", "acc_norm"], "doc_hash": f"{i:064x}", "prompt_hash": "", "target_hash": "",
        "acc": float(loglik.index(max(loglik)) == right), "acc_norm": float(norm.index(max(norm)) == right)})


def harness(path, given, options=None):
    """Log-likelihoods of whole answers are far from 0, each question's in its own way."""
    lines = []
    for i, (p, label, subject) in enumerate(given):
        texts = [o * (1 + (i + j) % 3) for j, o in enumerate(options)] if options else list(LETTERS)
        loglik = [round(math.log(x) - i % 7, 6) * (len(t) if options else 1) for x, t in zip(p, texts)]
        lines.append(harness_line(i, loglik, LETTERS.index(label), texts, {"question": f"q{i}", "subject": subject, "choices": texts}))
    path.write_text("\n".join(lines) + "\n")


def top(p):
    """The twenty likeliest tokens, of which most mean nothing; the letter behind a blank is the usual one."""
    listed = [(f" {x}", 0.9 * q) for x, q in zip(LETTERS, p)] + [(x, 0.08 * q) for x, q in zip(LETTERS, p)] + [(" The", 0.01)]
    return [{"token": token, "logprob": math.log(q), "bytes": list(token.encode())} for token, q in sorted(listed, key=lambda t: -t[1])]


def place(p):
    return {**top(p)[0], "top_logprobs": top(p)}


def inspect_sample(i, p, label, subject):
    answer = LETTERS[p.index(max(p))]
    tokens = [{"token": t, "logprob": 0.0, "bytes": None, "top_logprobs": []} for t in ("ANSWER", ":")] + [place(p)]
    return {
        "id": i, "epoch": 1, "input": f"q{i}", "choices": ["one", "two", "three", "four"], "target": label, "messages": [],
        "output": {"model": "m", "choices": [{"message": {"content": f"ANSWER: {answer}"}, "stop_reason": "stop", "logprobs": {"content": tokens}}]},
        "scores": {"choice": {"value": "C" if answer == label else "I", "answer": answer, "explanation": "", "metadata":
                              {"confidence": str(5 * round(20 * max(p)))}}},
        "metadata": {"subject": subject}, "store": {}, "events": []}


def inspect_log(path, given):
    header = {"version": 2, "status": "success", "eval": {"task": "inspect_evals/mmlu_0_shot", "model": "llama/13b"}, "plan": {}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("_journal/start.json", json.dumps(header))
        for i, row in enumerate(given, 1):
            log.writestr(f"samples/{i}_epoch_1.json", json.dumps(inspect_sample(i, *row)))
        log.writestr("header.json", json.dumps(header))


def batch(path, key, given):
    lines, answers = [], ["custom_id,answer"]
    for i, (p, label, _) in enumerate(given):
        body = {"model": "m", "choices": [{"index": 0, "message": {"content": "x"}, "logprobs": {"content": [place(p)]}}]}
        lines.append(json.dumps({"id": f"batch_req_{i}", "custom_id": f"request-{i}", "response": {"status_code": 200, "body": body}, "error": None}))
        answers.append(f"request-{i},{label}")
    path.write_text("\n".join(lines) + "\n")
    key.write_text("\n".join(answers) + "\n")


def lay_out_logs(root, folder):
    folder, given = Path(folder), rows(root)
    test, val = given[::3], given[1::3]
    harness(folder / "samples_mmlu_2024-05-13T10-20-30.123456.jsonl", test)
    harness(folder / "samples_mmlu_val_2024-05-13T10-20-30.123456.jsonl", val)
    harness(folder / "samples_arc_challenge_2024-05-13T10-20-30.123456.jsonl", test, options=["yes", "no", "maybe", "never"])
    inspect_log(folder / "mmlu.eval", test)
    batch(folder / "results.jsonl", folder / "key.csv", test)
    said = [(max(p), LETTERS[p.index(max(p))] == label) for p, label, _ in test]
    (folder / "stated.csv").write_text("\n".join(["confidence,correct", *(f"{5 * round(20 * c)},{int(hit)}" for c, hit in said)]) + "\n")
    (folder / "p_true.csv").write_text("\n".join(["p_true,correct", *(f"{c:.4f},{int(hit)}" for c, hit in said)]) + "\n")
    judged = [(p[0] + p[1], label in "AB") for p, label, _ in test]
    (folder / "judge.csv").write_text("\n".join(["judge_says_good,human", *(f"{c:.4f},{'good' if hit else 'bad'}" for c, hit in judged)]) + "\n")
