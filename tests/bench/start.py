#!/usr/bin/env python3
"""Wall time of whole commands on small inputs: what a person or a CI job waits for."""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ATTRC = ROOT / "build/release/cli/attrc"


def wall(command, before=None, rounds=15):
    times = []
    for _ in range(rounds):
        if before:
            before()
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append((time.perf_counter() - start) * 1e3)
    return min(times), statistics.median(times)


def hundred_lines(path):
    """The README's incident and its lines again with other ranks, 100 in all."""
    lines = (ROOT / "examples/nvlink-signal-integrity/observations.ndjson").read_text().splitlines()
    out = list(lines)
    rank = 0
    while len(out) < 101:
        observation = json.loads(lines[1 + rank % 3])
        observation["text"] = observation["text"].replace("Rank ", f"Rank {rank}1")
        out.append(json.dumps(observation))
        rank += 1
    path.write_text("\n".join(out) + "\n")


def report(name, command, before=None, budget=None):
    best, median = wall(command, before)
    note = f"   budget {budget} ms" if budget else ""
    print(f"{name:<52} {best:8.1f} ms best {median:8.1f} ms median{note}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        cache, incident, pack = folder / "cache", folder / "set.ndjson", folder / "std.attrpack"
        hundred_lines(incident)
        subprocess.run([ATTRC, "compile", "std", "-o", pack], check=True)
        run = [ATTRC, "run", "--pack", pack, "--cache-dir", cache]
        clear = lambda: shutil.rmtree(cache, ignore_errors=True)
        report("nothing (attrc --version)", [ATTRC, "--version"])
        report("run, 100 lines, interpreter", [*run, "--engine", "interpreter", incident])
        report("run, 100 lines, auto, cache cold", [*run, incident], clear, 150)
        report("run, 100 lines, native, cache cold", [*run, "--engine", "native", incident], clear, 150)
        subprocess.run([*run, "--engine", "native", incident], check=True, stdout=subprocess.DEVNULL)
        report("run, 100 lines, native, cache warm", [*run, "--engine", "native", incident], None, 40)
        report("run, 100 lines, auto, cache warm", [*run, incident], None, 40)
        report("check std and all it imports", [ATTRC, "check", "std"], None, 150)


if __name__ == "__main__":
    main()
