#!/usr/bin/env python3
"""attrc explain: golden texts of the cases in tests/golden/explain, and promises about every example.

A case is `NAME.attr`: a pack whose first test is the set; `// rule: NAME` lines name what is asked for. Its explanation
as text stands in `NAME.txt`, as JSON in `NAME.json`. ATTR_UPDATE_GOLDEN=1 writes them anew (read the difference!).
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import jsonschema

ROOT = pathlib.Path(os.environ["ATTR_SOURCE_DIR"])
ATTRC = os.environ["ATTRC"]
CASES = ROOT / "tests/golden/explain"


def attrc(*arguments):
    done = subprocess.run([ATTRC, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Explain(unittest.TestCase):
    maxDiff = None

    def explain(self, case, *options):
        """The pack is compiled from a folder of a fixed name, so that places in it are the same everywhere."""
        text = case.read_text()
        with tempfile.TemporaryDirectory() as folder:
            pack = pathlib.Path(folder) / "pack.attr"
            pack.write_text(text)
            given = pathlib.Path(folder) / "set.json"
            given.write_text(attrc("test", folder, "--show-set", "--run", re.search(r'^test "([^"]+)"', text, re.M)[1]))
            rules = [word for rule in re.findall(r"^// rule: (\S+)$", text, re.M) for word in ("--rule", rule)]
            out = attrc("explain", folder, given, *rules, *options)
            return out.replace(folder + "/", "")

    def test_goldens(self):
        cases = sorted(CASES.glob("*.attr"))
        self.assertGreaterEqual(len(cases), 5)
        for case in cases:
            for suffix, options in ((".txt", ("--width", "100")), (".json", ("--format", "json"))):
                with self.subTest(case.name + suffix):
                    out = re.sub(r'("sha256": )"[0-9a-f]{64}"', r'\1"…"', self.explain(case, *options))
                    golden = case.with_suffix(suffix)
                    if os.environ.get("ATTR_UPDATE_GOLDEN") == "1":
                        golden.write_text(out)
                    self.assertEqual(out, golden.read_text())

    def test_goldens_validate(self):
        validator = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/schema/explain.schema.json").read_text()))
        for case in sorted(CASES.glob("*.attr")):
            with self.subTest(case.name):
                validator.validate(json.loads(self.explain(case, "--format", "json")))

    def test_examples_give_the_verdict_that_run_gives_whatever_the_threads(self):
        for path in sorted(ROOT.glob("examples/*/observations.ndjson")):
            with self.subTest(path.parent.name):
                one = attrc("explain", "std", path, "--format", "json")
                self.assertEqual(one, attrc("explain", "std", path, "--format", "json", "--threads", 4))
                verdict = json.loads(attrc("run", path, "--no-cache", "--format", "json"))
                told = json.loads(one)
                for key in ("status", "domain", "certainty", "terminal_state"):
                    self.assertEqual(told["verdict"][key], verdict[key])
                causes = [step["rule"] for step in told["steps"] if step["role"] == "cause"]
                self.assertEqual(causes, [cause["rule"] for cause in verdict["causes"]][: len(causes)])
                self.assertEqual(told["unknowns"] == [], verdict["certainty"] == "settled")

    def test_a_rule_that_is_not_there(self):
        path = sorted(ROOT.glob("examples/*/observations.ndjson"))[0]
        done = subprocess.run([ATTRC, "explain", "std", path, "--rule", "gpu_lots"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"gpu_lost", done.stderr)


if __name__ == "__main__":
    unittest.main()
