"""What the tests of pages share: reports are made once, opened from disk, and closed; without Chromium a test is skipped."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chromium

PATH = chromium.find()
TARE, DATA = (os.path.abspath(word) for word in sys.argv[1:3])


class Reports:
    """A folder of pages and the browser that opens them. `prepare` writes files into the folder and returns the words after `tare report` of each page."""

    def __init__(self, prepare):
        self.temporary = tempfile.TemporaryDirectory(prefix="tare-pages-")
        self.folder = self.temporary.name
        self.pages = prepare(self.folder)
        for name, words in self.pages.items():
            subprocess.run([TARE, "report", *words, "--quiet", "-o", name + ".html"], cwd=self.folder, check=True)
        self.browser = chromium.Chromium(PATH)

    def close(self):
        self.browser.close()
        self.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.folder, name)


class Case(unittest.TestCase):
    """A test whose module has its pages in `reports`."""

    def page(self, name, **options):
        reports = sys.modules[type(self).__module__].reports
        page = reports.browser.open(reports.path(name + ".html"), **options)
        self.addCleanup(page.close)
        return page


def main():
    if not PATH:
        print("no Chromium: " + ("CI must have it" if os.environ.get("CI") == "true" else "skipped"))
        sys.exit(1 if os.environ.get("CI") == "true" else 77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
