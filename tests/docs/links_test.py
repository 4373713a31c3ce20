"""The link checker finds what is broken and accepts what is not."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("links.py")

GOOD = """# A page

[text](docs/README.md#two-words-1), [here](#a-page), ![picture](picture.svg "title"), <img src="picture.svg" alt="x">,
[web](https://example.org/x_(y)), `[code](nowhere.md)`, and [a name].

[a name]: docs/README.md

```
[a block](nowhere.md)
```
"""
INDEX = """# Index

## Two words
## `Two` *words*?
[back](../README.md)
"""


def check(readme, **others):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "docs").mkdir()
        (root / "docs" / "README.md").write_text(INDEX)
        (root / "picture.svg").write_text("<svg/>")
        (root / "README.md").write_text(readme)
        for name, text in others.items():
            (root / "docs" / f"{name}.md").write_text(text)
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
        return done.returncode, done.stdout


class Links(unittest.TestCase):
    def test_good_links(self):
        code, out = check(GOOD)
        self.assertEqual(code, 0, out)

    def test_broken_links(self):
        for link, words in {"[x](gone.md)": "is not there", "[x](docs/README.md#gone)": "has no heading",
                            "[x](#gone)": "has no heading", "![x](gone.png)": "is not there", "[x](../outside.md)": "leaves",
                            '<img src="gone.svg">': "is not there", "[x]: gone.md": "is not there", "[x](docs)": "is a folder",
                            "[x](http://example.org)": "https"}.items():
            code, out = check(GOOD + "\n" + link + "\n")
            self.assertEqual(code, 1, link)
            self.assertIn(words, out)

    def test_a_page_that_nobody_links(self):
        code, out = check(GOOD, lonely="# Lonely\n")
        self.assertEqual(code, 1)
        self.assertIn("docs/lonely.md: no way leads here", out)


if __name__ == "__main__":
    unittest.main()
