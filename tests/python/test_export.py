"""Fitted calibrators as code: the header has the bits of `tare apply`, SQL its numbers in two databases."""

import shutil
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

import tare
from exported import applied, fit, models, problems

COMPILER = shutil.which("c++") or shutil.which("g++")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")


@pytest.fixture(scope="module")
def made(network):
    return list(models(network))


def build(folder, source, *flags):
    subprocess.run([COMPILER, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wshadow", *flags, source, "-o", "try"], cwd=folder, check=True)
    return folder / "try"


def program_of(folder, made):
    """One program with all headers: NAME reads rows from NAME.in and writes NAME.out and NAME.float."""
    lines = ["#include <cstdio>", "#include <vector>"]
    lines += [f'#include "{name}.hpp"' for name, _, _ in made]
    lines.append("""
template <class T, class F> void run(const char* in, const char* out, std::size_t columns, F f) {
  std::FILE* file = std::fopen(in, "rb");
  std::vector<T> x(1 << 16);
  x.resize(std::fread(x.data(), sizeof(T), x.size(), file));
  std::fclose(file);
  std::vector<double> y(x.size());
  f(x.data(), x.size() / columns, y.data());
  file = std::fopen(out, "wb");
  std::fwrite(y.data(), sizeof(double), y.size(), file);
  std::fclose(file);
}
int main() {""")
    for name, _, _ in made:
        lines.append(f'  run<double>("{name}.in", "{name}.out", {name}::columns, {name}::apply<double>);')
        lines.append(f'  run<float>("{name}.in32", "{name}.out32", {name}::columns, {name}::apply<float>);')
    lines.append("}")
    (folder / "try.cpp").write_text("\n".join(lines))
    for name, calibrator, rows in made:
        (folder / f"{name}.hpp").write_text(tare.export.header(calibrator, name=name))
        rows.tofile(folder / f"{name}.in")
        rows.astype(np.float32).tofile(folder / f"{name}.in32")
    return "try.cpp"


@needs_compiler
def test_the_header_has_the_bits_of_apply(made, tmp_path):
    """With instructions of this machine, fused ones among them, and optimised: the order of operations is in the file."""
    program = build(tmp_path, program_of(tmp_path, made), "-O2", "-march=native")
    subprocess.run([program], cwd=tmp_path, check=True)
    for name, calibrator, rows in made:
        for kind, ending in ((np.float64, ""), (np.float32, "32")):
            typed = rows.astype(kind)
            if calibrator.input != "logits":
                typed = np.clip(typed, 0, 1)
            found = np.fromfile(tmp_path / f"{name}.out{ending}").reshape(len(rows), -1)
            assert np.array_equal(found.view(np.int64), applied(calibrator, typed).view(np.int64)), (name, kind)


@needs_compiler
def test_the_header_is_for_c_too(network, tmp_path):
    name, kind, x, y, rows = next(iter(problems(network)))
    for method in ("temperature", "isotonic"):
        calibrator = fit(method, kind, x, y)
        calibrator.export(tmp_path / "calibrate.hpp")
        (tmp_path / "calibrate.cpp").write_text('#define CALIBRATE_IMPLEMENTATION\n#include "calibrate.hpp"\n')
        (tmp_path / "main.c").write_text("""#include "calibrate.hpp"
#include <stdio.h>
int main(void) {
  double in[CALIBRATE_COLUMNS], out[CALIBRATE_COLUMNS];
  while (fread(in, sizeof in, 1, stdin) == 1) {
    calibrate_apply(in, 1, out);
    fwrite(out, sizeof out, 1, stdout);
  }
  return 0;
}
""")
        compiler = shutil.which("cc") or shutil.which("gcc")
        subprocess.run([COMPILER, "-std=c++17", "-O2", "-c", "calibrate.cpp"], cwd=tmp_path, check=True)
        subprocess.run([compiler, "-std=c99", "-Wall", "-Werror", "main.c", "calibrate.o", "-o", "main"], cwd=tmp_path, check=True)
        done = subprocess.run([tmp_path / "main"], input=rows.tobytes(), capture_output=True, check=True)
        assert done.stdout == applied(calibrator, rows).tobytes(), method


@needs_compiler
def test_what_tare_refuses_is_nan_and_fast_math_is_refused(network, tmp_path):
    _, kind, x, y, _ = next(iter(problems(network)))
    rows = np.zeros((5, 10))
    rows[0, 3], rows[1, 0], rows[2], rows[3, :2] = np.nan, np.inf, -np.inf, (-np.inf, -1e6)
    made = [("isotonic", fit("isotonic", kind, x, y), rows)]
    program = build(tmp_path, program_of(tmp_path, made), "-O1")
    subprocess.run([program], cwd=tmp_path, check=True)
    out = np.fromfile(tmp_path / "isotonic.out").reshape(5, 10)
    assert np.isnan(out[:4]).all() and np.isfinite(out[4]).all()
    for row in rows[:4]:
        with pytest.raises(tare.Error):
            made[0][1].predict_proba(row[None])
    done = subprocess.run([COMPILER, "-std=c++17", "-ffast-math", "-c", "try.cpp"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and "-ffast-math" in done.stderr


def sql_scores(calibrator, rows):
    """One number per row, which says what two columns say."""
    if calibrator.model_.columns == 1:
        return rows
    return rows[:, 1] - rows[:, 0] if calibrator.input == "logits" else rows[:, 1]


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_sql_has_the_numbers_of_apply(engine, network):
    tried = 0
    for name, calibrator, rows in models(network, few=False):
        if calibrator.model_.columns > 2:
            continue
        score = sql_scores(calibrator, rows)
        kept = np.isfinite(score)
        score = score[kept]
        if engine == "sqlite":
            con = sqlite3.connect(":memory:")
            con.execute("create table t (i integer, s real)")
            con.executemany("insert into t values (?, ?)", [(i, float(s)) for i, s in enumerate(score)] + [(-1, None)])
        else:
            duckdb = pytest.importorskip("duckdb")
            con = duckdb.connect()
            con.execute("create table t (i integer, s double)")
            con.executemany("insert into t values (?, ?)", [(i, float(s)) for i, s in enumerate(score)] + [(-1, None)])
        found = con.execute(f"select ({tare.export.sql(calibrator, score='t.s')}) from t order by i").fetchall()
        assert found[0][0] is None
        expected = applied(calibrator, score)[:, 0]
        assert np.abs(np.array([f[0] for f in found[1:]]) - expected).max() < 1e-12, name
        tried += 1
    assert tried > 60


def test_what_cannot_be_exported_is_refused_before_anything_is_written(network, tmp_path):
    _, kind, x, y, _ = next(iter(problems(network)))
    t = fit("temperature", kind, x, y)
    for path, options, reason in [("a.sql", {}, "needs all numbers of a row"), ("class.hpp", {}, "cannot be a name"), ("a.txt", {}, "ending"),
                                  ("a.hpp", {"score": "p"}, "not for .hpp"), ("a.sql", {"append": "x.onnx"}, "not for .sql")]:
        with pytest.raises(tare.Error, match=reason):
            t.export(tmp_path / path, **options)
    one = fit("platt", "probs", np.array([0.1, 0.4, 0.6, 0.9] * 50), np.array([0, 1, 0, 1] * 50))
    for column in ("p; drop table t", "1p", "", 'a"b', "a b", "p)"):
        with pytest.raises(tare.Error, match="column"):
            tare.export.sql(one, score=column)
    for column in ("p", "t.p", '"a b"', 't."a b"'):
        assert column in tare.export.sql(one, score=column)
    with pytest.raises((tare.Error, ValueError), match="not fitted"):  # scikit-learn's NotFittedError where that is installed
        tare.calibrator("platt", "probs").export(tmp_path / "a.hpp")
    assert list(tmp_path.iterdir()) == []


def test_the_command_line(network, program, tmp_path):
    _, kind, x, y, _ = next(iter(problems(network)))
    fit("temperature", kind, x, y).save(tmp_path / "t.json")
    program("export", tmp_path / "t.json", "-o", tmp_path / "mine.hpp", "--quiet")
    assert "namespace mine {" in (tmp_path / "mine.hpp").read_text()
    for words, reason in [(["-o", "m.onnx"], "pip install"), (["-o", "m.sql"], "one"), ([], "no output file"), (["-o", "m.pdf"], "ending"),
                          (["-o", "m.hpp", "--score", "p"], "--score is for SQL")]:
        done = subprocess.run([sys.executable, "-c", "import sys; from tare import _tare; sys.exit(_tare.run(['tare', *sys.argv[1:]]))", "export",
                               str(tmp_path / "t.json"), *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 2 and reason in done.stderr and done.stderr.count("hint:") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.hpp", "t.json"]
