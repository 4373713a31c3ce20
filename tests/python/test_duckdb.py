"""Queries of DuckDB are tables like others: they stream into a state."""

import numpy as np
import pytest

import tare

duckdb = pytest.importorskip("duckdb")


@pytest.fixture
def con(binary, tmp_path):
    p, y = binary
    con = duckdb.connect()
    np.savetxt(tmp_path / "rows.csv", np.column_stack([p, y, np.arange(len(p)) % 3]), delimiter=",", header="p,y,shop", comments="")
    con.execute(f"create table rows as select p::double p, y::int y, shop::int shop from '{tmp_path / 'rows.csv'}'")
    return con


def test_a_query_has_the_numbers_of_its_rows(con, binary):
    p, y = binary
    whole = tare.State().update(probs=p, labels=y)
    for query in ("from rows", "select p as score, y = 1 as hit from rows", "select [1 - p, p] as probs, y as label from rows"):
        names = {"probs": "score", "labels": "hit"} if "score" in query else {}
        state = tare.State().update(con.sql(query), **names)
        assert state.measure(intervals=False)["ece_ew"].value == tare.ece_ew(probs=p, labels=y)
        assert state == whole
    some = tare.measure(con.sql("from rows where shop = 2"), probs="p", labels="y")
    assert some.verdict == tare.measure(probs=p[2::3], labels=y[2::3]).verdict


def test_groups(con, binary):
    pytest.importorskip("pyarrow")
    p, y = binary
    state = tare.State(by="shop").update(con.sql("select p, y, shop from rows"))
    assert state == tare.State(by="shop").update(probs=p, labels=y, by=np.arange(len(p)) % 3)


def test_what_is_wrong_is_named(con):
    with pytest.raises(tare.Error, match="p: row 3 is null"):
        tare.State().update(con.sql("select case when i = 3 then null else 0.5::double end as p, 1 as y from range(10) t(i) order by i"))
    with pytest.raises(tare.Error, match="p: holds decimals of fixed point, not floats"):
        tare.State().update(con.sql("select 0.5 as p, 1 as y"))
    with pytest.raises(tare.Error, match="p: row 1: probability is 3"):
        tare.State().update(con.sql("select 1 + i * 2::double as p, 1 as y from range(2) t(i)"))
    with pytest.raises((tare.Error, duckdb.Error), match="Could not convert|Conversion"):
        tare.State().update(con.sql("select (case when i = 9 then 'x' else '0.5' end)::double as p, 1 as y from range(10) t(i)"))


def test_a_function_in_python_is_called(con, binary):
    """The interpreter's lock is free while DuckDB works."""
    con.create_function("half", lambda p: p / 2, ["DOUBLE"], "DOUBLE")
    p, y = binary
    assert tare.State().update(con.sql("select half(p) as p, y from rows")) == tare.State().update(probs=p / 2, labels=y)
