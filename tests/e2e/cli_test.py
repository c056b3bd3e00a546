#!/usr/bin/env python3
"""Bad input at the command line: a clear message with its place, and the documented exit code."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ATTR_SOURCE_DIR"])
ATTRC = os.environ["ATTRC"]
SET = ROOT / "examples/nvlink-signal-integrity/observations.ndjson"
HEADER = '{"schema":"attribution/observations/v1"}\n'
PACK = 'pack site.t 1.0.0 {\n  requires language 1\n  import std.core 0\n}\n'
EVENT = 'event e from kernel {\n  text /boom (?P<n>\\d+)/\n  field n: int\n  example "boom 3" { n = 3 }\n}\n'
CAUSE = 'cause c "boom" {\n  domain hardware.gpu\n  when x: e where x.n >= 3\n  blame node x.node\n}\n'
TEST = ('test "t" {\n  attempt { nodes n1 start 12:00 end 12:30 state FAILED }\n  cover kernel, scheduler\n'
        '  kernel n1 12:01:00 "boom 3"\n  expect attributed hardware.gpu settled\n  expect cause c on n1\n}\n')


def attrc(*args, stdin=None, timeout=60, env=None):
    return subprocess.run([ATTRC, *map(str, args)], capture_output=True, timeout=timeout, input=stdin,
                          env={**os.environ, **(env or {})})


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def file(self, name, content):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def expect(self, done, code, *words):
        message = done.stderr.decode(errors="replace") + done.stdout.decode(errors="replace")
        self.assertEqual(done.returncode, code, message)
        for word in words:
            self.assertIn(word, message)


class Observations(Base):
    def run_set(self, content, *args):
        return attrc("run", "--no-cache", "--format", "json", *args, self.file("set.ndjson", content))

    def test_missing_file(self):
        self.expect(attrc("run", self.path / "none.ndjson"), 3, "none.ndjson")

    def test_folder(self):
        self.expect(attrc("run", self.path), 3, "folder")

    def test_empty_file(self):
        self.expect(self.run_set(""), 3, "empty")

    def test_malformed_json_says_line_and_byte(self):
        self.expect(self.run_set(HEADER + '{"source":"kernel","text":"x"}\n{"source":\n'), 3, ":3", "byte")

    def test_wrong_schema_version(self):
        self.expect(self.run_set('{"schema":"attribution/observations/v9"}\n'), 3, "v9")

    def test_observation_without_source(self):
        self.expect(self.run_set(HEADER + '{"text":"x"}\n'), 3, "source")

    def test_duplicate_id_with_other_content(self):
        self.expect(self.run_set(HEADER + '{"id":"a","source":"kernel","text":"x"}\n{"id":"a","source":"kernel","text":"y"}\n'),
                    3, '"a"')

    def test_long_line_nul_and_invalid_utf8_are_read(self):
        line = json.dumps({"source": "application", "text": "A" * 10_000_000})
        done = self.run_set((HEADER + line + "\n").encode() + b'{"source":"kernel","text":"a\\u0000b \xff\xfe"}\n')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["scope"]["observations_in"], 2)

    def test_unreadable_time_keeps_the_observation(self):
        done = self.run_set(HEADER + '{"source":"kernel","time":"yesterday","text":"x"}\n')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["scope"]["observations_in"], 1)

    def test_a_source_that_no_pack_declares_is_named(self):
        done = self.run_set(HEADER + '{"source":"kernal","text":"x"}\n')
        self.assertIn("kernal", json.loads(done.stdout)["scope"]["warnings"][0])

    def test_an_empty_list_of_nodes_is_not_everywhere(self):
        header = '{"schema":"attribution/observations/v1","coverage":[{"source":"kernel","nodes":[]}]}\n'
        self.expect(self.run_set(header), 3, "nodes is empty")

    def test_messages_carry_no_terminal_controls(self):
        done = self.run_set(HEADER + '{"source":"kernel","clock":"\\u001b[31mred"}\n')
        self.assertEqual(done.returncode, 3)
        self.assertNotIn(b"\x1b", done.stderr)

    def test_standard_input(self):
        done = attrc("run", "--no-cache", "--format", "json", "-", stdin=SET.read_bytes())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["domain"], "fabric.nvlink")


HISTORY = ('event prior from history {\n  where name == "verdict"\n  field status: text = attrs.status, nodes: text? = attrs.nodes\n'
           '  field causes: text? = attrs.causes, of: text = attempt\n}\n'
           'cause again "the same node again" {\n  domain hardware\n  when p: prior where p.nodes == "n1"\n  per attempt\n'
           '  explain "{p.of} had {p.causes} on {p.nodes}"\n}\n')


class Coverage(Base):
    def test_an_empty_row_that_two_inputs_repeat_is_one(self):
        row = {"source": "kernel", "nodes": ["n1"], "status": "empty"}
        one = {"schema": "attribution/observations/v1", "coverage": [row],
               "observations": [{"source": "kernel", "node": "n1", "time": "2026-03-02T12:10:00Z", "text": "x"}]}
        two = {"schema": "attribution/observations/v1", "coverage": [row, row]}
        run = ("run", "--no-cache", "--format", "json", self.file("one.json", json.dumps(one)))
        alone, together = attrc(*run), attrc(*run, self.file("two.json", json.dumps(two)))
        self.assertIn("yet it has 1 observation there", together.stderr.decode())
        self.assertEqual(alone.stdout, together.stdout)


class Attempts(Base):
    def several(self, *args, header=None):
        self.file("p/pack.attr", PACK)
        self.file("p/rules.attr", EVENT + CAUSE + HISTORY)
        header = header or {"attempts": [
            {"id": "a2", "job": "j", "state": "FAILED", "start": "2026-03-02T13:00:00Z", "end": "2026-03-02T13:30:00Z", "nodes": ["n2"]},
            {"id": "a1", "job": "j", "state": "FAILED", "start": "2026-03-02T12:00:00Z", "end": "2026-03-02T12:30:00Z", "nodes": ["n1"]}]}
        document = {"schema": "attribution/observations/v1", **header, "coverage": [{"source": "kernel"}, {"source": "scheduler"}],
                    "observations": [{"source": "kernel", "node": "n1", "time": "2026-03-02T12:10:00Z", "text": "boom 3"},
                                     {"source": "kernel", "node": "n2", "time": "2026-03-02T13:10:00Z", "attempt": "a1", "text": "boom 4"}]}
        return attrc(*args, self.file("set.json", json.dumps(document)))

    def test_each_has_its_verdict_and_tells_the_next(self):
        done = self.several("run", "--pack", self.path / "p", "--no-cache", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        first, second = json.loads(done.stdout)
        self.assertEqual([first["attempt"]["id"], second["attempt"]["id"]], ["a1", "a2"])
        self.assertEqual([c["rule"] for c in first["causes"]], ["site.t::c"])
        self.assertEqual([(c["rule"], c["explanation"]) for c in second["causes"]], [("site.t::again", "a1 had site.t::c on n1")])
        self.assertEqual(second["scope"]["out"], [{"reason": "before the attempt", "count": 1}, {"reason": "other attempt", "count": 1}])
        self.assertEqual(second["causes"][0]["evidence"][0]["text"], "attempt a1: attributed hardware.gpu")
        text = self.several("run", "--pack", self.path / "p", "--no-cache")
        self.expect(text, 0, "attempt a1 of job j", "attempt a2 of job j")

    def test_one_is_asked_for(self):
        run = ("run", "--pack", self.path / "p", "--no-cache", "--format", "json", "--attempt")
        done = self.several(*run, "a2")
        self.assertEqual(json.loads(done.stdout)["causes"][0]["rule"], "site.t::again")
        self.expect(self.several(*run, "a3"), 2, "no attempt `a3`", "a1, a2")
        told = json.loads(self.several("explain", self.path / "p", "--format", "json", "--attempt", "a2").stdout)
        self.assertEqual(told["steps"][0]["bindings"][0]["observations"][0]["source"], "history")

    def test_lists_that_contradict_themselves(self):
        run = ("run", "--pack", self.path / "p", "--no-cache")
        self.expect(self.several(*run, header={"attempts": [{"id": "a"}, {"id": "a"}]}), 3, 'the attempt "a" stands twice')
        self.expect(self.several(*run, header={"attempts": [{"job": "a"}]}), 3, 'an attempt without "id"')
        self.expect(self.several(*run, header={"attempt": {}, "attempts": [{"id": "a"}]}), 3, 'both "attempt" and "attempts"')
        self.assertEqual(self.several(*run, header={"attempts": []}).returncode, 0)

    def test_lists_of_several_files_are_united(self):
        self.several("run")
        for name in ("a1", "a2"):
            start = {"a1": "2026-03-02T12:00:00Z", "a2": "2026-03-02T13:00:00Z"}[name]
            self.file(name + ".json", json.dumps({"schema": "attribution/observations/v1", "attempts": [{"id": name, "start": start}]}))
        done = attrc("run", "--pack", self.path / "p", "--no-cache", "--format", "json", self.path / "a2.json", self.path / "a1.json")
        self.assertEqual([v["attempt"]["id"] for v in json.loads(done.stdout)], ["a1", "a2"])


class Packs(Base):
    def pack(self, **files):
        for name, content in {"pack.attr": PACK, **files}.items():
            self.file("p/" + name.replace("__", "."), content)
        return self.path / "p"

    def test_a_sound_pack_checks_compiles_runs_and_passes(self):
        pack = self.pack(rules__attr=EVENT + CAUSE + TEST)
        self.expect(attrc("check", pack), 0)
        self.expect(attrc("test", pack), 0, "1 passed, 0 failed")
        out = self.path / "p.attrpack"
        self.expect(attrc("compile", pack, "-o", out), 0)
        self.expect(attrc("run", "--no-cache", "--pack", out, SET), 0)
        self.expect(attrc("inspect", out), 0, "site.t::c")
        for emit, word in {"plan": "site.t::c", "llvm": "define", "asm": "ret"}.items():
            self.expect(attrc("inspect", out, "--rule", "c", "--emit", emit), 0, word)
        self.expect(attrc("inspect", pack, "--rule", "c", "--emit", "ast"), 0)

    def test_a_failing_test_shows_expected_and_actual(self):
        pack = self.pack(rules__attr=EVENT + CAUSE + TEST.replace("attributed hardware.gpu", "attributed network.ib"))
        self.expect(attrc("test", pack), 1, "expect attributed network.ib", "attributed hardware.gpu", "0 passed, 1 failed")

    def test_a_pack_without_tests_fails(self):
        self.expect(attrc("test", self.pack(rules__attr=EVENT + CAUSE)), 1, "no tests")

    def test_show_set_prints_one_set_that_run_reads(self):
        pack = self.pack(rules__attr=EVENT + CAUSE + TEST + TEST.replace('"t"', '"t and more"'))
        self.expect(attrc("test", pack, "--show-set"), 2, "2 were meant", "--run")
        done = attrc("test", pack, "--show-set", "--run", "t")  # the whole name wins
        self.expect(done, 0, "boom 3")
        self.expect(attrc("run", "--no-cache", "--pack", pack, "-", stdin=done.stdout), 0, "ATTRIBUTED")
        self.expect(attrc("test", pack, "--show-set", "--run", "nothing"), 2, "no test to show")

    def test_a_rule_without_kernels_has_no_code_to_show(self):
        pack = self.pack(rules__attr=EVENT + CAUSE.replace(" where x.n >= 3", ""))
        self.expect(attrc("inspect", pack, "--rule", "c", "--emit", "llvm"), 0, "; no native kernels")
        self.expect(attrc("inspect", pack, "--rule", "c", "--emit", "asm"), 0, "# no native kernels")

    def test_inspect_shows_the_vocabulary_and_the_order(self):
        pack = self.pack(rules__attr=EVENT + CAUSE + 'ambiguity { between hardware.gpu, *  unless apart 5m then earliest because "both" }\n'
                         'symptom s "S" { tags t when x: e }\n')
        self.expect(attrc("inspect", pack), 0, "reads     ", "tags      of symptoms: t", "domain    hardware.gpu  ",
                    'ambiguity between hardware.gpu, * unless apart 5m then earliest because "both"')

    def test_ten_thousand_parentheses(self):
        pack = self.pack(rules__attr=EVENT + "cause c { domain hardware.gpu when x: e where "
                         + "(" * 10_000 + "x.n == 1" + ")" * 10_000 + " }\n")
        self.expect(attrc("check", pack), 1, "A0004")

    def test_three_thousand_nots(self):
        pack = self.pack(rules__attr=EVENT + "cause c { domain hardware.gpu when x: e where " + "not " * 3000 + "x.n == 1 }\n")
        self.expect(attrc("check", pack), 1, "A0004")

    def test_invalid_byte_in_a_rule_file(self):
        pack = self.pack(rules__attr=EVENT.encode() + b"// caf\xe9\n")
        self.expect(attrc("check", pack), 1, "A0002", "rules.attr:6")

    def test_nul_in_a_rule_file_or_a_table(self):
        self.expect(attrc("check", self.pack(rules__attr=EVENT + "// a\0b\n")), 1, "A0002", "rules.attr:6:5")
        self.expect(attrc("check", self.pack(rules__attr=EVENT + CAUSE.replace('"boom"', '"bo\\x00om"'))), 1, "A0112", ":6:")

    def test_two_hundred_thousand_lines(self):
        text = "".join(f'domain d{i} "d"\n' for i in range(200_000))
        done = attrc("check", self.pack(rules__attr=text), timeout=120)
        self.assertIn(done.returncode, (0, 1))

    def test_table_with_duplicate_key_and_short_row(self):
        table = 'table t from "t.csv" key k { k: int, v: text }\n'
        self.expect(attrc("check", self.pack(rules__attr=table, t__csv="k,v\n1,a\n1,b\n")), 1, "t.csv:3")
        self.expect(attrc("check", self.pack(rules__attr=table, t__csv="k,v\n1,a\n2\n")), 1, "t.csv:3")

    def test_odd_files_in_a_pack_folder_are_named(self):
        pack = self.pack(rules__attr=EVENT + CAUSE)
        (pack / "loop.attr").symlink_to("loop.attr")
        self.expect(attrc("check", pack), 3, "loop.attr")

    def test_all_errors_of_all_files_in_one_run(self):
        pack = self.pack(a__attr="event a from kernel { text /(/ }\n", b__attr="cause b { domain nowhere when x: a }\n",
                         c__attr="cause { }\n")
        done = attrc("check", pack)
        self.expect(done, 1, "a.attr:1", "b.attr:1", "c.attr:1")

    def test_a_record_that_is_a_member_twice_is_one_record(self):
        pack = self.pack(rules__attr=EVENT + CAUSE.replace("where x.n >= 3", "where x.n >= 3 and y: e within 1h of x where y.node == x.node"))
        lines = [{"source": "kernel", "node": "n1", "time": f"2026-03-02T12:10:{s:02d}Z", "text": f"boom {s + 3}"} for s in range(12)]
        document = {"schema": "attribution/observations/v1", "coverage": [{"source": "kernel"}], "observations": lines}
        done = attrc("run", "--pack", pack, "--no-cache", "--format", "json", self.file("set.json", json.dumps(document)))
        cause = json.loads(done.stdout)["causes"][0]
        self.assertEqual((cause["count"], cause["evidence_total"], len(cause["evidence"])), (12, 12, 9))

    def test_until_is_compared_with_a_day_by_check_alone(self):
        text = 'allow A0215 "later" until "2026-11-30"\nconst window = 5m\n' + EVENT + CAUSE
        pack = self.pack(rules__attr=text)
        done = attrc("check", pack, "--today", "2026-11-30")
        self.expect(done, 0)
        self.assertEqual(done.stdout, b"")
        self.expect(attrc("check", pack, "--today", "2026-12-01"), 0, "A0215", "until")
        self.assertEqual(attrc("compile", pack, "-o", self.path / "x.attrpack").stderr, b"")
        self.expect(attrc("check", pack, "--today", "tomorrow"), 2, "--today", "2027-01-31")

    def test_no_pack_block_and_no_folder(self):
        self.file("q/x.attr", EVENT)
        self.expect(attrc("check", self.path / "q"), 1, "pack")
        self.expect(attrc("check", self.path / "nowhere"), 3, "nowhere")

    def test_json_diagnostics_are_one_object_a_line(self):
        done = attrc("check", "--format", "json", self.pack(rules__attr="cause { }\nevent a from kernel { text /(/ }\n"))
        self.assertEqual(done.returncode, 1)
        items = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertGreaterEqual(len(items), 2)
        for item in items:
            self.assertTrue({"code", "severity", "message", "file", "line"} <= item.keys())


class PackFiles(Base):
    def compiled(self):
        for name, content in {"pack.attr": PACK, "r.attr": EVENT + CAUSE}.items():
            self.file("p/" + name, content)
        out = self.path / "p.attrpack"
        self.assertEqual(attrc("compile", self.path / "p", "-o", out).returncode, 0)
        return out

    def test_truncated_and_damaged_and_foreign(self):
        bytes_ = self.compiled().read_bytes()
        damaged = bytearray(bytes_)
        damaged[len(damaged) // 2] ^= 0x40
        for name, content in {"cut": bytes_[:-7], "flip": bytes(damaged), "text": b"hello", "empty": b""}.items():
            self.expect(attrc("inspect", self.file(name + ".attrpack", content)), 3, name + ".attrpack")

    def test_output_that_cannot_be_written(self):
        self.compiled()
        link = self.path / "link.attrpack"
        link.symlink_to(self.path / "elsewhere")
        self.expect(attrc("compile", self.path / "p", "-o", link), 3, "link.attrpack")
        self.assertTrue(link.is_symlink())
        self.expect(attrc("compile", self.path / "p", "-o", self.path / "no" / "such" / "x.attrpack"), 3, "x.attrpack")


class Cache(Base):
    def verdict(self, *args, **kwargs):
        done = attrc("run", "--engine", "native", "--format", "json", *args, SET, **kwargs)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_cache_is_used_and_changes_nothing(self):
        cache = self.path / "cache"
        cold = self.verdict("--cache-dir", cache, "--stats")
        warm = self.verdict("--cache-dir", cache, "--stats")
        self.assertEqual(cold.stdout, warm.stdout)
        self.assertIn(b"0 compiled", warm.stderr)

    def test_a_cache_folder_that_cannot_be_made_is_no_failure(self):
        self.file("blocked", "")
        done = self.verdict("--cache-dir", self.path / "blocked" / "x", "--stats")
        self.assertIn(b"off", done.stderr)

    def test_a_cache_folder_open_to_others_is_refused(self):
        cache = self.path / "open"
        cache.mkdir()
        cache.chmod(0o777)
        self.assertIn(b"off", self.verdict("--cache-dir", cache, "--stats").stderr)
        self.assertEqual(list(cache.iterdir()), [])

    def test_a_corrupted_entry_is_replaced(self):
        cache = self.path / "cache"
        cold = self.verdict("--cache-dir", cache)
        for entry in cache.iterdir():
            data = bytearray(entry.read_bytes())
            data[-5] ^= 1
            entry.write_bytes(data)
        self.assertEqual(self.verdict("--cache-dir", cache).stdout, cold.stdout)
        self.assertIn(b"0 compiled", self.verdict("--cache-dir", cache, "--stats").stderr)


class Usage(Base):
    def test_help_everywhere(self):
        self.expect(attrc("--help"), 0, "check", "compile", "run", "explain", "test", "inspect")
        for command in ("check", "compile", "run", "explain", "test", "inspect"):
            self.expect(attrc(command, "--help"), 0, "exit codes")

    def test_version(self):
        self.expect(attrc("--version"), 0, "attrc", "LLVM")

    def test_usage_errors(self):
        self.expect(attrc(), 2)
        self.expect(attrc("frobnicate"), 2, "no command `frobnicate`", "commands: check, compile")
        self.expect(attrc("chek", "std"), 2, "no command `chek`", "did you mean `check`?")
        self.expect(attrc("run", "--engine", "quantum", SET), 2)
        self.expect(attrc("inspect", "std", "--rule", "gpu_lots"), 2, "gpu_lost")

    def test_an_unknown_option_is_named_before_what_is_missing(self):
        done = attrc("run", "--bogus")
        self.expect(done, 2, "--bogus")
        self.assertNotIn(b"required", done.stderr)
        self.expect(attrc("run"), 2, "paths is required")

    def test_standard_input_twice(self):
        self.expect(attrc("run", "-", "-", stdin=SET.read_bytes()), 2, "standard input (-) is named twice")

    def test_output_to_a_full_disk(self):
        for args in (["--version"], ["--help"], ["run", "--help"], ["run", SET], ["test", "--list", "std.gpu"]):
            with self.subTest(args), open("/dev/full", "w") as full:
                done = subprocess.run([ATTRC, *map(str, args)], stdout=full, stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(b"cannot write the output", done.stderr)


if __name__ == "__main__":
    unittest.main()
