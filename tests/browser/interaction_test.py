"""What the pages of `tare report` let their reader do: see the answer at once, point, step, sort, save and print.

    interaction_test.py TARE DATA        TARE: the program; DATA: the folder of sample networks

Without Chromium the test is skipped (exit status 77), unless CI=true.
"""

import csv
import os
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paper
from reports import DATA, Case, Reports, main

A4 = {"width": 688, "height": 1016}  # in pixels of 1/96 inch, less the margins of 14 mm
SVG = "{http://www.w3.org/2000/svg}"

BOXES = """(() => {
  const box = (e) => { const r = e.getBoundingClientRect(); return {left: r.left, right: r.right, top: r.top, bottom: r.bottom}; };
  const picture = [...document.querySelectorAll(".first .panel svg")].find((e) => e.checkVisibility());
  return {verdict: box(document.querySelector(".verdict")), answer: box(document.querySelector(".answer")), picture: box(picture),
          tiles: box(document.querySelector(".first .tiles")), h1: box(document.querySelector("h1"))};
})()"""

# The numbers of a column, as the table stands.
COLUMN = """(name) => { const table = document.getElementById("estimators-table");
  const at = [...table.tHead.rows[0].cells].findIndex((h) => h.textContent === name);
  return [...table.tBodies[0].rows].map((r) => r.cells[at].dataset.v ? Number(r.cells[at].dataset.v.split(" ")[0]) : null); }"""


def prepare(folder):
    network = os.path.join(DATA, "lenet5_cifar10.npz")
    with open(os.path.join(folder, "few.csv"), "w", encoding="utf-8") as file:  # calibrated as far as anybody can tell
        file.write("probs,labels,place\n")
        file.write("".join(f"{(i * 7 % 40 + 0.5) / 40},{int(i * 11 % 40 <= i * 7 % 40)},{'abc'[i % 3]}\n" for i in range(120)))
    return {
        "one": [network, "--split", "test", "--replicates", "20"],
        "two": [network, "--methods", "temperature,histogram,isotonic", "--no-bias"],
        "repaired": [os.path.join(DATA, "resnet110_cifar10.npz"), "--methods", "temperature", "--no-bias", "--no-classes"],
        "few": ["few.csv", "--group", "place", "--replicates", "20"],
        "hundred": [os.path.join(DATA, "lenet5_cifar100.npz"), "--split", "test", "--no-bias"],
    }


def setUpModule():
    global reports
    reports = Reports(prepare)
    reports.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=reports.folder)


def tearDownModule():
    reports.close()


def saved(ending):
    """The bytes of the one file that was downloaded, which is removed."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        for name in os.listdir(reports.folder):
            path = reports.path(name)
            if name.endswith(ending) and name not in ("few.csv",) and os.path.getsize(path):
                with open(path, encoding="utf-8", newline="") as file:
                    text = file.read()
                os.remove(path)
                return name, text
        time.sleep(0.05)
    raise TimeoutError("nothing was saved")


class Page(Case):
    def test_the_first_screen_has_the_answer_and_the_picture_side_by_side(self):
        for name in reports.pages:
            for script in (True, False):
                b = self.page(name, width=1400, height=900, script=script).evaluate(BOXES)
                self.assertLessEqual(b["answer"]["right"], b["picture"]["left"], name)
                for part in ("h1", "verdict", "answer", "picture"):
                    self.assertGreaterEqual(b[part]["top"], 0, (name, part))
                    self.assertLessEqual(b[part]["bottom"], 900, (name, part))
                self.assertGreater(b["picture"]["bottom"] - b["picture"]["top"], 380, name)

    def test_the_first_sheet_of_paper_has_them_side_by_side_too(self):
        for name in reports.pages:
            b = self.page(name, media="print", **A4).evaluate(BOXES)
            self.assertLessEqual(b["answer"]["right"], b["picture"]["left"], name)
            for part in ("verdict", "answer", "picture", "tiles"):
                self.assertLessEqual(b[part]["bottom"], A4["height"], (name, part))

    def test_no_heading_ends_a_sheet(self):
        for name in reports.pages:
            page = self.page(name, media="print", **A4)
            sizes = page.evaluate("""["h2", "h3"].flatMap((t) => [...document.querySelectorAll(t)].map(
                (e) => parseFloat(getComputedStyle(e).fontSize) * 0.75))""")
            others = page.evaluate("""[...document.querySelectorAll("p, li, td, th, dt, dd, strong, figcaption, caption, pre, summary")].map(
                (e) => parseFloat(getComputedStyle(e).fontSize) * 0.75)""")
            headings = {round(s, 1) for s in sizes}
            self.assertFalse(headings & {round(s, 1) for s in others}, "headings are told by their size")
            path = reports.path(name + ".pdf")
            page.pdf(path)
            sheets = paper.pages(path)
            self.assertGreater(len(sheets), 1)
            self.assertTrue(any(round(size, 1) in headings for sheet in sheets for _, size in sheet), "headings are seen")
            for number, sheet in enumerate(sheets, 1):
                _, size = min(sheet)
                self.assertNotIn(round(size, 1), headings, f"{name}, sheet {number} ends with a heading")

    def test_every_mark_tells_its_numbers_to_the_keyboard(self):
        page = self.page("one", width=1400)
        page.evaluate("document.querySelector('.panel:nth-of-type(1) svg [tabindex=\"0\"]').focus()")
        told = []
        for key, code in (("ArrowRight", 39), ("ArrowRight", 39), ("Home", 36), ("End", 35)):
            page.press(key, code)
            told.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
            self.assertEqual(page.evaluate("document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').textContent"), told[-1])
        marks = page.evaluate("""[...document.querySelectorAll(".panel:nth-of-type(1) svg [role=img]")].map((e) => e.getAttribute("aria-label"))""")
        self.assertEqual(told, [marks[1], marks[2], marks[0], marks[-1]])
        self.assertTrue(all("%" in mark for mark in marks), marks)
        self.assertEqual(page.evaluate("document.querySelectorAll('.panel:nth-of-type(1) svg [tabindex=\"0\"]').length"), 1)
        page.press("Escape", 27)
        self.assertTrue(page.evaluate("document.querySelector('.tip').hidden"))

    def test_every_picture_has_marks(self):
        for name in reports.pages:
            bare = self.page(name).evaluate("""[...document.querySelectorAll("figure")].filter(
                (f) => f.querySelector("svg") && !f.querySelector("svg [tabindex]")).map((f) => f.dataset.name)""")
            self.assertEqual(bare, [], name)

    def test_pointing_beside_a_mark_finds_the_nearest(self):
        page = self.page("one", width=1400)
        at = page.evaluate("""(() => { const svg = document.querySelector("#rows svg"); svg.scrollIntoView({block: "center", behavior: "instant"});
            const last = [...svg.querySelectorAll("[role=img]")].at(-1), r = last.getBoundingClientRect();
            return [r.right + 5, r.top - 5, last.getAttribute("aria-label")]; })()""")
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1])
        self.assertEqual(page.evaluate("document.querySelector('.tip').textContent"), at[2])
        tip = page.evaluate("(() => { const r = document.querySelector('.tip').getBoundingClientRect(); return [r.left, r.right, r.top, r.bottom]; })()")
        self.assertTrue(0 <= tip[0] and tip[1] <= 1400 and 0 <= tip[2] and tip[3] <= 900, tip)

    def test_tables_sort_by_click_and_by_keyboard(self):
        page = self.page("one", width=1400)
        state = "document.querySelector('#estimators-table th:has(.sort:focus), #estimators-table th[aria-sort]')?.getAttribute('aria-sort')"
        column = f"({COLUMN})('value')"
        before = page.evaluate(column)
        page.evaluate("[...document.querySelectorAll('#estimators-table .sort')].find((b) => b.textContent === 'value').setAttribute('id', 'by-value')")
        page.click("#by-value")
        numbers = [x for x in before if x is not None]
        missing = [None] * (len(before) - len(numbers))
        self.assertEqual(page.evaluate(column), sorted(numbers) + missing)
        self.assertEqual(page.evaluate(state), "ascending")
        page.evaluate("document.querySelector('#by-value').focus()")
        page.press("Enter", 13)
        self.assertEqual(page.evaluate(column), sorted(numbers, reverse=True) + missing)
        self.assertEqual(page.evaluate(state), "descending")
        page.press("Enter", 13)
        self.assertEqual(page.evaluate(column), before)
        self.assertIsNone(page.evaluate(state))

    def test_every_picture_can_be_saved(self):
        for name in reports.pages:
            without = self.page(name).evaluate("""[...document.querySelectorAll("figure")].filter(
                (f) => f.querySelectorAll(".tools button").length !== 2).map((f) => f.dataset.name)""")
            self.assertEqual(without, [], name)

    def test_what_is_recommended_comes_first(self):
        names = self.page("repaired").evaluate("[...document.querySelectorAll('#calibrators figure')].map((f) => f.dataset.name)")
        self.assertEqual(names, ["before-after", "map", "before", "after-temperature", "compare"])

    def test_a_saved_picture_is_whole(self):
        for name, where in (("one", ".panel:nth-of-type(1) figure"), ("two", "#calibrators .small figure")):
            page = self.page(name, width=1400, dark=True)
            page.click(where + " .tools button")
            file, text = saved(".svg")
            self.assertIn("lenet5_cifar10", file.replace("-", "_"))
            root = xml.etree.ElementTree.fromstring(text)
            self.assertEqual(root.get("role"), "img")
            self.assertTrue(root.find(SVG + "title").text)
            self.assertEqual(len(root.findall(f".//{SVG}g/{SVG}title")), page.evaluate(
                f"document.querySelector('{where} svg').querySelectorAll('[role=img], g > title').length"))
            patterns = {p.get("id") for p in root.iter(SVG + "pattern")}
            for shape in root.iter():
                if (shape.get("fill") or "").startswith("url("):
                    self.assertIn(shape.get("fill")[5:-1], patterns)
            self.assertEqual(page.messages(), [])

    def test_saved_numbers_are_those_of_the_table(self):
        page = self.page("one", width=1400)
        page.click("#estimators-table caption button")
        _, text = saved(".csv")
        rows = list(csv.DictReader(text.splitlines()))
        value = "value (percent; scores in their own units)"
        self.assertEqual([float(r[value]) if r[value] else None for r in rows], page.evaluate(f"({COLUMN})('value')"))
        self.assertTrue(any(r["interval low"] and float(r["interval low"]) <= float(r["interval high"]) for r in rows))
        page.click("#rows figure .tools button:last-child")
        _, text = saved(".csv")
        rows = list(csv.DictReader(text.splitlines()))
        self.assertAlmostEqual(sum(float(r["share"]) for r in rows), 100, places=6)
        self.assertEqual(sum(float(r["rows"]) for r in rows), 10000)

    def test_long_tables_are_whole_and_short_on_paper(self):
        page = self.page("hundred")
        count = "[...document.querySelectorAll('.tall tbody tr')].filter((r) => r.checkVisibility()).length"
        self.assertEqual(page.evaluate(count), 100)
        page.show(width=688, media="print")
        self.assertEqual(page.evaluate(count), 40)


if __name__ == "__main__":
    main()
