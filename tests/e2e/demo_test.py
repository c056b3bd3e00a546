#!/usr/bin/env python3
"""The README's incident: domain, node and the three demoted errors; the text form at a person's terminal."""
import json
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(os.environ["ATTR_SOURCE_DIR"])
ATTRC = os.environ["ATTRC"]
SET = ROOT / "examples/nvlink-signal-integrity/observations.ndjson"


def run(*args, **env):
    return subprocess.run([ATTRC, "run", "--no-cache", *args, str(SET)], capture_output=True, text=True, check=True,
                          env={**os.environ, **env}).stdout


class Demo(unittest.TestCase):
    def test_json_names_the_link_the_node_and_three_demoted_errors(self):
        verdict = json.loads(run("--format", "json"))
        self.assertEqual(verdict["status"], "attributed")
        self.assertEqual(verdict["domain"], "fabric.nvlink")
        self.assertEqual([n["node"] for n in verdict["affected_nodes"]], ["gpu-01"])
        self.assertEqual([c["rule"] for c in verdict["causes"]], ["std.nvlink::nvlink_signal_integrity"])
        demoted = [s for s in verdict["symptoms"] if s["demoted_by"]]
        self.assertEqual(sorted(n for s in demoted for n in s["nodes"]), ["gpu-01", "gpu-02", "gpu-03"])

    def test_text_answers_in_its_first_line(self):
        first = run().splitlines()[0]
        self.assertIn("fabric.nvlink", first)
        self.assertIn("gpu-01", first)

    def test_text_fits_its_width_and_has_no_escapes_when_piped(self):
        for width in (40, 80, 132):
            text = run("--width", str(width))
            self.assertNotIn("\x1b", text)
            for line in text.splitlines():
                self.assertLessEqual(len(line), width, line)

    def test_colour_is_given_when_asked_for(self):
        self.assertIn("\x1b[", run("--color", "always"))
        self.assertNotIn("\x1b[", run("--color", "never"))


if __name__ == "__main__":
    unittest.main()
