#!/usr/bin/env python3
"""How evaluation grows with the number of events: small packs, one construct
each, on sets of 10^4 to 10^6 observations that all stand in one hour on 64 nodes,
so that what falls into one window grows with the set. Prints the processor time
of scan, join, demotion and resolution, and the exponent fitted over the sizes
(1: linear; budget 1.2).   growth.py WORK_FOLDER [SHAPE…]"""
import json
import math
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ATTRC = ROOT / "build/release/cli/attrc"
NODES = 64
SIZES = (10_000, 31_623, 100_000, 316_228, 1_000_000)
# Findings are limited to 10^5 of a rule: shapes of one finding an event stop there.
FEW = (3_162, 10_000, 31_623, 100_000)

EVENTS = r"""pack bench.growth 0.1.0 { requires language 1 import std.core 0 }
event a from kernel { text /^a n=(?P<n>\d+) id=(?P<id>\d+)/  field n: int, id: int }
event b from application { text /^b n=(?P<n>\d+) id=(?P<id>\d+)/  field n: int, id: int }
event few from application { text /^b n=[0-4]/ }
"""
RULE = 'cause c "a bench" {{ domain application.code {} }}\n'
PAIR = "when x: a {} y: b {} within 60s after x where y.node == x.node{}  per x.node"
SHAPES = {
    "window join": (SIZES, RULE.format(PAIR.format("and", "", ""))),
    "window join, residual": (SIZES, RULE.format(PAIR.format("and", "", " and y.n != x.n"))),
    "without": (SIZES, RULE.format("when x: a without y: b within 60s after x where y.node == x.node  per x.node")),
    "without, nothing there": (
        SIZES, RULE.format("when x: a without y: b within 60s after x where y.id == x.id  per x.node")),
    "unless": (SIZES, RULE.format("when x: a unless y: b within 60s of x where y.node == x.node  per x.node")),
    "self-join": (SIZES, RULE.format("when x: a and y: a within 60s after x where y.node == x.node  per x.node")),
    "three in a chain": (SIZES, RULE.format(
        PAIR.format("and", "", "").replace("  per x.node", " and z: few within 60s after y where z.node == y.node  per x.node"))),
    "per with gap": (SIZES, RULE.format("when x: a  per x.node, x.n gap 5s  having distinct(x.id) >= 2")),
    "least by": (SIZES, RULE.format(
        "when x: a and y: b within 60s after x where y.node == x.node  per x.node  least x by x.id  earliest y")),
    "demotion": (FEW, RULE.format("when x: a  per x.id  blame node x.node  demote tag t on node within 5s")
                 + 'symptom s "b" { tags t when y: b per y.id, y.node }\n'),
    "levels": (FEW, RULE.format("when x: a  per x.id, x.node  blame node x.node tags t1")
               + 'cause d "b" { domain storage.local tags t2 when y: b per y.id, y.node blame node y.node }\n'
               + "precedence { tag t1 > tag t2 }\n"),
}
# Compares every pair of roots within the window: grows with the pairs, up to a limit.
SHAPES["ambiguity"] = (FEW, SHAPES["levels"][1] + "ambiguity { between storage, application within 1s }\n")
# Half of the nodes without kernel telemetry: nothing is certain, resolution tries what could change it.
SHAPES["re-resolution"] = (FEW, SHAPES["demotion"][1])


def write_set(path, count, blind):
    draw = random.Random(1)
    names = [f"n{i:02}" for i in range(NODES)]
    attempt = {"id": "1", "start": "2026-03-02T09:00:00Z", "end": "2026-03-02T10:00:00Z", "state": "FAILED",
               "nodes": [{"name": name} for name in names]}
    kernel = {"source": "kernel", "status": "ok"}
    if blind:
        kernel["nodes"] = names[: NODES // 2]
    coverage = [kernel, {"source": "application", "status": "ok"}]
    with path.open("w") as out:
        out.write(json.dumps({"schema": "attribution/observations/v1", "attempt": attempt, "coverage": coverage}) + "\n")
        for i in range(count):
            millis = i * 3_600_000 // count
            time = f"2026-03-02T09:{millis // 60_000:02}:{millis // 1000 % 60:02}.{millis % 1000:03}Z"
            kind = i % 2
            node = names[draw.randrange(NODES // 2 if blind and kind == 0 else NODES)]
            out.write(f'{{"source":"{("kernel", "application")[kind]}","time":"{time}","node":"{node}",'
                      f'"text":"{"ab"[kind]} n={draw.randrange(100)} id={i}"}}\n')


def seconds(pack, observations):
    best, phases = math.inf, ("scan", "join", "demote", "resolve")
    for _ in range(3):
        run = subprocess.run([ATTRC, "run", "--pack", pack, "--engine", "native", "--stats", "--format", "json", observations],
                             capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(run.stderr)
        verdict = json.loads(run.stdout)
        if verdict["limits"]:
            return None
        best = min(best, sum(float(re.search(rf"^  {name} +([\d.]+) ms", run.stderr, re.M).group(1)) for name in phases))
    return best / 1000


def exponent(points):
    """Least squares through the logarithms; what takes less than a millisecond is start-up."""
    logs = [(math.log(n), math.log(s)) for n, s in points if s > 1e-3]
    if len(logs) < 2:
        return 0.0
    mean_x, mean_y = (sum(column) / len(logs) for column in zip(*logs))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def main():
    work, wanted = pathlib.Path(sys.argv[1]), sys.argv[2:]
    for name, (sizes, text) in SHAPES.items():
        if wanted and name not in wanted:
            continue
        folder = work / "growth" / name.replace(" ", "-").replace(",", "")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pack.attr").write_text(EVENTS + text)
        points, shown = [], []
        for size in sizes:
            blind = name == "re-resolution"
            observations = work / f"growth-{size}{'-blind' if blind else ''}.ndjson"
            if not observations.exists():
                write_set(observations, size, blind)
            took = seconds(folder, observations)
            shown.append(f"{size}: " + ("over a limit" if took is None else f"{took * 1000:.1f} ms"))
            if took is not None:
                points.append((size, took))
        print(f"{name:<24} exponent {exponent(points):4.2f}   {'   '.join(shown)}", flush=True)


if __name__ == "__main__":
    main()
