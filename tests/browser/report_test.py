"""Opens the pages of `tare report` from disk in a real browser, as a person would.

    report_test.py TARE DATA        TARE: the program; DATA: the folder of sample networks

Without Chromium the test is skipped (exit status 77), unless CI=true.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reports import DATA, Case, Reports, main

WIDTHS = (360, 380, 800, 1400)
NASTY = "<img src=x onerror=alert(1)>&\"'🙂 שלום.csv"
CLASSES = ["</script><script>alert(1)</script>", "\"quoted\" & 'single'", "猫🙂", "مرحبا بالعالم"]

# Text that sticks out: past the window (but inside a frame that scrolls), past the box of its picture, or cut off.
OVERFLOW = """(() => {
  const out = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) out.push("the page scrolls sideways: " + document.documentElement.scrollWidth);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("script, style, title, desc, .skip") || !parent.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const picture = parent.closest("svg"), frame = parent.closest(".scroll");
    for (const box of range.getClientRects()) {
      if (box.width === 0) continue;
      const within = picture ? picture.getBoundingClientRect() : {left: 0, right: width, top: -1e9, bottom: 1e9};
      if (frame && !picture) {
        const f = frame.getBoundingClientRect();
        if (f.left < -0.5 || f.right > width + 0.5) out.push("a frame sticks out");
        if (width > 576) continue;  // on a phone rows are cards, and no frame scrolls sideways: nothing is cut
      }
      if (box.left < within.left - 0.5 || box.right > within.right + 0.5 || box.top < within.top - 0.5 || box.bottom > within.bottom + 0.5)
        out.push(node.data.trim().slice(0, 60));
    }
  }
  return out;
})()"""

# Words of one picture that lie on each other; a third of the height of a line of digits is empty.
COLLISIONS = """(() => {
  const out = [];
  for (const svg of document.querySelectorAll("svg")) {
    if (!svg.checkVisibility()) continue;
    const boxes = [...svg.querySelectorAll("text")].filter((t) => t.checkVisibility()).map((t) => [t.textContent, t.getBoundingClientRect()]);
    for (let i = 0; i < boxes.length; ++i)
      for (let j = 0; j < i; ++j) {
        const [a, b] = [boxes[i][1], boxes[j][1]];
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left), y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > 1 && y > 0.35 * a.height) out.push(boxes[i][0] + " | " + boxes[j][0]);
      }
  }
  return out;
})()"""

# Contrast of words against what lies behind them: 4.5 as in WCAG 2, level AA.
FAINT = """(() => {
  const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                         return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const out = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("script, style, title, desc") || !parent.checkVisibility()) continue;
    const picture = parent.closest("svg");
    let behind = "rgba(0, 0, 0, 0)";
    if (picture) behind = getComputedStyle(picture.querySelector("rect")).fill;
    for (let e = parent; behind === "rgba(0, 0, 0, 0)"; e = e.parentElement) behind = getComputedStyle(e).backgroundColor;
    const style = getComputedStyle(parent), ink = picture ? style.fill : style.color;
    const [a, b] = [light(ink), light(behind)], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) out.push(ratio.toFixed(1) + " " + node.data.trim().slice(0, 40));
  }
  return out;
})()"""

# What a screen reader and a keyboard need.
UNNAMED = """(() => {
  const out = [];
  for (const svg of document.querySelectorAll("svg")) {
    if (svg.closest("[aria-hidden]")) continue;
    const title = svg.querySelector(":scope > title"), text = svg.querySelector(":scope > desc");
    const name = title?.textContent || svg.getAttribute("aria-label");
    if (!["img", "group"].includes(svg.getAttribute("role")) || !name || !text?.textContent) out.push("a picture without words");
    for (const mark of svg.querySelectorAll("[tabindex]")) if (!mark.getAttribute("aria-label")) out.push("a mark without words");
  }
  for (const table of document.querySelectorAll("table"))
    if (!table.caption || [...table.querySelectorAll("th")].some((h) => !h.scope)) out.push("a table without headings");
  for (const input of document.querySelectorAll("input"))
    if (!input.labels.length || !input.closest("fieldset").querySelector("legend")) out.push("a switch without a name");
  for (const frame of document.querySelectorAll(".scroll"))
    if (frame.tabIndex !== 0 || !frame.getAttribute("aria-label")) out.push("a frame no keyboard can scroll");
  for (const link of document.querySelectorAll("a[href^='#']"))
    if (!document.querySelector(link.getAttribute("href"))) out.push("a link to nowhere: " + link.href);
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) out.push("a heading skips a level: " + heading.textContent);
    level = next;
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of ids.filter((id, i) => ids.indexOf(id) !== i)) out.push("twice: #" + id);
  if (document.documentElement.lang !== "en" || !document.title) out.push("no language or title");
  return out;
})()"""

SHOWN = """[...document.querySelectorAll(".panel")].filter((p) => p.checkVisibility()).map((p) => p.className)"""
SWITCHES = """[...document.querySelectorAll("[name=drawing]")].map((e) => e.id)"""


def prepare(folder):
    with open(os.path.join(folder, NASTY), "w", encoding="utf-8") as file:
        file.write(",".join(f'"p_{c.replace(chr(34), chr(34) * 2)}"' for c in CLASSES) + ",labels\n")
        for i in range(400):  # the first class is claimed too often
            top = i % 4
            row = ["0.1"] * 4
            row[top] = "0.7"
            file.write(",".join(row) + f",{top if i % 10 < 6 else (i // 4) % 4}\n")
    with open(os.path.join(folder, "two.csv"), "w", encoding="utf-8") as file:
        file.write("probs,labels\n" + "".join(f"{(i % 10 + 0.5) / 10},{int(i % 10 > i % 7 + 2)}\n" for i in range(300)))
    network = os.path.join(DATA, "lenet5_cifar10.npz")
    return {
        "one": [network, "--split", "test", "--replicates", "20"],
        "two": [network, "--methods", "temperature,histogram", "--no-bias"],
        "nasty": ["--probs", NASTY + ":p_*", "--labels", NASTY + ":labels", "--replicates", "20"],
        "binary": ["two.csv", "--replicates", "20"],
    }


def setUpModule():
    global reports
    reports = Reports(prepare)


def tearDownModule():
    reports.close()


class Report(Case):
    def test_says_nothing_on_the_console_and_asks_nobody(self):
        for name in reports.pages:
            page = self.page(name)
            page.click("#bins-1")
            page.hover(".panel-bins-1 g.bin")
            self.assertEqual(page.messages(), [], name)
            self.assertEqual([u for u in page.requests() if not u.startswith("file://")], [], name)
            self.assertEqual(len(page.requests()), 1, name)

    def test_text_fits_at_every_width_by_day_and_by_night(self):
        for name in reports.pages:
            page = self.page(name)
            page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
            for dark in (False, True):
                for width in WIDTHS:
                    page.show(width=width, dark=dark)
                    self.assertEqual(page.evaluate(OVERFLOW), [], f"{name}, {width} px, dark: {dark}")
                self.assertEqual(page.evaluate(FAINT), [], f"{name}, dark: {dark}")

    def test_words_in_pictures_keep_apart(self):
        for name in reports.pages:
            page = self.page(name)
            for choice in page.evaluate(SWITCHES):
                page.click("#" + choice)
                self.assertEqual(page.evaluate(COLLISIONS), [], (name, choice))

    def test_night_is_dark_and_paper_is_white(self):
        background = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(self.page("two").evaluate(background), "rgb(255, 255, 255)")
        self.assertEqual(self.page("two", dark=True).evaluate(background), "rgb(20, 24, 29)")
        self.assertEqual(self.page("two", dark=True, media="print").evaluate(background), "rgb(255, 255, 255)")

    def test_prints_on_a4(self):
        page = self.page("two", width=688, media="print")  # 210 mm less the margins
        self.assertEqual(page.evaluate(OVERFLOW), [])
        page.pdf(reports.path("two.pdf"))
        with open(reports.path("two.pdf"), "rb") as file:
            self.assertTrue(file.read(4) == b"%PDF")

    def test_the_switch_changes_the_drawing(self):
        for script in (True, False):
            page = self.page("one", script=script)
            switches = page.evaluate(SWITCHES)
            self.assertEqual(len(switches), 6)  # three axes of the curve, three kinds of bins
            self.assertEqual(page.evaluate(SHOWN), ["panel panel-" + switches[0]])
            for choice in switches[1:]:
                page.click(f"label:has(#{choice})")
                self.assertEqual(page.evaluate(SHOWN), ["panel panel-" + choice])

    def test_the_switch_obeys_the_keyboard(self):
        page = self.page("one")
        switches = page.evaluate(SWITCHES)
        page.evaluate("document.querySelector('[name=drawing]').focus()")
        page.press("ArrowRight", 39)
        self.assertEqual(page.evaluate(SHOWN), ["panel panel-" + switches[1]])

    def test_band_and_curve_can_be_hidden(self):
        page = self.page("one")
        page.click("#bins-0")
        for what in ("band", "corp"):
            visible = f"getComputedStyle(document.querySelector('.panel-bins-0 .{what}')).display !== 'none'"
            self.assertTrue(page.evaluate(visible))
            page.click(f"#show-{what}")
            self.assertFalse(page.evaluate(visible))

    def test_pointing_at_a_bar_tells_its_numbers(self):
        page = self.page("one")
        page.click("#bins-0")
        page.hover(".panel-bins-0 g.bin:nth-of-type(3)")
        self.assertRegex(page.evaluate("document.querySelector('.tip').textContent"), r"rows, mean confidence .*accuracy")

    def test_can_be_read_without_script(self):
        text = """(() => { const main = document.querySelector("main").cloneNode(true);
            for (const tool of main.querySelectorAll(".tool, .tools, svg title")) tool.remove();
            return main.textContent.replace(/\\s+/g, " "); })()"""
        self.assertEqual(self.page("two", script=False).evaluate(text), self.page("two").evaluate(text))

    def test_everything_has_a_name(self):
        for name in reports.pages:
            self.assertEqual(self.page(name).evaluate(UNNAMED), [], name)

    def test_the_citation_can_be_copied(self):
        page = self.page("one")
        page.click("#citation button")
        self.assertTrue(page.evaluate("getSelection().toString()").startswith("@software{tare"))

    def test_names_are_text_and_nothing_else(self):
        page = self.page("nasty")
        self.assertIn(NASTY, page.evaluate("document.querySelector('h1').textContent"))
        self.assertIn(NASTY, page.evaluate("document.title"))
        self.assertIn(NASTY, page.evaluate("document.querySelector('#method').textContent"))
        classes = page.evaluate("[...document.querySelectorAll('#classes tbody th')].map((e) => e.textContent)")
        self.assertEqual(sorted(classes), sorted(CLASSES))
        self.assertEqual(page.evaluate("document.images.length"), 0)
        self.assertEqual(page.evaluate("document.scripts.length"), 1)
        self.assertEqual(page.messages(), [])


if __name__ == "__main__":
    main()
