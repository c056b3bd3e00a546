#!/usr/bin/env python3
"""The examples' inputs and verdicts validate against the published JSON Schemas."""
import json
import os
import pathlib
import subprocess
import unittest

import jsonschema

ROOT = pathlib.Path(os.environ["ATTR_SOURCE_DIR"])
ATTRC = os.environ["ATTRC"]


def schema(name):
    loaded = json.loads((ROOT / "docs/schema" / name).read_text())
    jsonschema.Draft202012Validator.check_schema(loaded)
    return jsonschema.Draft202012Validator(loaded)


def as_document(path):
    lines = [json.loads(line) for line in path.read_text().splitlines() if line]
    return {**lines[0], "observations": lines[1:]}


class Schemas(unittest.TestCase):
    def incidents(self):
        found = sorted(ROOT.glob("examples/*/observations.ndjson"))
        self.assertGreaterEqual(len(found), 10)
        return found

    def test_observation_sets_validate(self):
        validator = schema("observations.schema.json")
        for path in self.incidents():
            with self.subTest(path.parent.name):
                validator.validate(as_document(path))

    def test_verdicts_validate(self):
        validator = schema("verdict.schema.json")
        for path in self.incidents():
            with self.subTest(path.parent.name):
                done = subprocess.run([ATTRC, "run", "--no-cache", "--format", "json", path], capture_output=True, check=True)
                validator.validate(json.loads(done.stdout))

    def test_explanations_validate(self):
        validator = schema("explain.schema.json")
        for path in self.incidents():
            with self.subTest(path.parent.name):
                command = [ATTRC, "explain", "std", path, "--format", "json", "--rule", "gpu_lost", "--rule", "nccl_timeout"]
                done = subprocess.run(command, capture_output=True, check=True)
                document = json.loads(done.stdout)
                validator.validate(document)
                self.assertEqual([rule["rule"].split("::")[1] for rule in document["rules"]], ["gpu_lost", "nccl_timeout"])
                for step in document["steps"]:
                    for demotion in step["demotes"]:
                        self.assertEqual(document["steps"][demotion["step"]]["rule"], demotion["rule"])

    def test_test_sets_validate(self):
        validator = schema("observations.schema.json")
        listed = subprocess.run([ATTRC, "test", "--list", "std.nvlink"], capture_output=True, check=True, text=True).stdout
        names = [line.split(": ", 1)[1] for line in listed.splitlines()]
        self.assertGreaterEqual(len(names), 8)
        for name in names:
            with self.subTest(name):
                done = subprocess.run([ATTRC, "test", "--show-set", "--run", name, "std.nvlink"], capture_output=True,
                                      check=True, text=True)
                validator.validate(json.loads(done.stdout))

    def test_the_documented_sample_validates_and_is_settled(self):
        page = (ROOT / "docs/observation-set.md").read_text()
        sample = page.split("```json\n", 1)[1].split("```", 1)[0]
        schema("observations.schema.json").validate(json.loads(sample))
        done = subprocess.run([ATTRC, "run", "--no-cache", "--format", "json", "-"], capture_output=True, check=True,
                              input=sample.encode())
        verdict = json.loads(done.stdout)
        self.assertEqual((verdict["status"], verdict["certainty"]), ("attributed", "settled"))

    def test_a_wrong_document_does_not_validate(self):
        self.assertFalse(schema("observations.schema.json").is_valid({"schema": "something/else"}))
        self.assertFalse(schema("verdict.schema.json").is_valid({"schema": "attribution/verdict/v1"}))


if __name__ == "__main__":
    unittest.main()
