#!/usr/bin/env python3
"""`attrc run` on a cascade of 100,000 and of 1,000,000 observations: wall time
against what simdjson alone needs for the same bytes, memory against the input,
and growth over the decade. One core.   cascade.py WORK_FOLDER READ_BENCH"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ATTRC = ROOT / "build/release/cli/attrc"


def run(command, rounds=3):
    """Best wall seconds, peak resident bytes and the last output."""
    best, peak, out = float("inf"), 0, ""
    for _ in range(rounds):
        start = time.perf_counter()
        process = subprocess.Popen(["taskset", "-c", "0", *map(str, command)], stdout=subprocess.PIPE, text=True)
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"{command} failed")
        best, peak = min(best, time.perf_counter() - start), max(peak, usage.ru_maxrss * 1024)
    return best, peak, out


def main():
    work, read_bench = pathlib.Path(sys.argv[1]), sys.argv[2]
    seconds = {}
    for count in (100_000, 1_000_000):
        path = work / f"cascade-{count}.ndjson"
        size = path.stat().st_size
        for engine in ("interpreter", "native", "auto"):
            wall, peak, out = run([ATTRC, "run", "--engine", engine, "--format", "json", path])
            assert '"domain": "fabric.nvlink"' in out or '"domain":"fabric.nvlink"' in out, out[:300]
            seconds[count, engine] = wall
            print(f"{count:>9} {engine:<12} {wall:7.3f} s  {size / wall / 1e6:7.0f} MB/s  memory {peak / size:5.2f} x input"
                  f" ({peak / 1e6:.0f} of {size / 1e6:.0f} MB)")
    parse, _, out = run([read_bench, "--simdjson-only", work / "cascade-1000000.ndjson"])
    alone = float(re.search(r"simdjson[^\n]*?([\d.]+) s", out).group(1))
    wall = seconds[1_000_000, "auto"]
    print(f"simdjson alone {alone:.3f} s; run is {wall / alone:.2f} x, budget 2 x + 1 s = {2 * alone + 1:.3f} s")
    for engine in ("interpreter", "native", "auto"):
        print(f"growth 100,000 to 1,000,000, {engine}: {seconds[1_000_000, engine] / seconds[100_000, engine]:.1f} x (budget 12)")


if __name__ == "__main__":
    main()
