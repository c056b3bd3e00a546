#!/usr/bin/env python3
"""docs/tutorial.md, followed to the letter: its files, its outputs, its mistake."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PAGE = (pathlib.Path(os.environ["ATTR_SOURCE_DIR"]) / "docs/tutorial.md").read_text()
ATTRC = os.environ["ATTRC"]


class Tutorial(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        blocks = re.findall(r"```attr\n(.*?)```", PAGE, re.S)
        (self.path / "site.storage").mkdir()
        (self.path / "site.storage/pack.attr").write_text(blocks[0])
        self.rules = "\n".join(blocks[1:4])
        self.write(self.rules)

    def write(self, rules):
        (self.path / "site.storage/rules.attr").write_text(rules)

    def attrc(self, *args):
        return subprocess.run([ATTRC, *args], cwd=self.path, capture_output=True, text=True, timeout=60)

    def test_the_pack_is_sound_and_its_test_passes(self):
        self.assertEqual(self.attrc("check", "site.storage").stdout, "")
        done = self.attrc("test", "--no-cache", "site.storage")
        self.assertEqual((done.stdout, done.returncode), ("1 passed, 0 failed\n", 0))

    def test_what_was_not_collected_is_unknown(self):
        kernel = [line for line in self.rules.splitlines() if line.startswith("  kernel  n1")]
        self.assertEqual(len(kernel), 1)
        text = self.rules.replace(kernel[0] + "\n", "").replace("cover   kernel, syslog,", "cover  ")
        head, tail = text.split("  expect  attributed storage.shared settled")
        self.write(head + "  expect  unattributed provisional\n  expect would_change scratch_server_lost needs kernel\n}\n")
        self.assertIn("expect  demoted", tail)
        done = self.attrc("test", "--no-cache", "site.storage")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_mistake_is_explained_as_the_page_shows(self):
        self.write(self.rules.replace("s.waited >=", "s.wiated >="))
        done = self.attrc("check", "site.storage")
        self.assertEqual(done.returncode, 1)
        self.assertIn("```\n$ attrc check site.storage\n" + done.stdout.rstrip("\n") + "\n```", PAGE)

    def test_compile_and_run(self):
        self.assertEqual(self.attrc("compile", "site.storage", "-o", "site.storage.attrpack").returncode, 0)
        (self.path / "observations.json").write_text(self.attrc("test", "site.storage", "--show-set").stdout)
        done = self.attrc("run", "--no-cache", "--pack", "site.storage.attrpack", "observations.json")
        self.assertIn("storage.shared", done.stdout.splitlines()[0])


if __name__ == "__main__":
    unittest.main()
