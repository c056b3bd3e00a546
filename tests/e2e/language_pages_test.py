"""Every example of docs/language that is a whole pack: it is clean, and its tests hold on both engines."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ATTRC = os.environ["ATTRC"]
PAGES = pathlib.Path(os.environ["ATTR_SOURCE_DIR"]) / "docs" / "language"
BLOCK = re.compile(r"^```attr\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run(*arguments):
    done = subprocess.run([ATTRC, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def main():
    packs = failed = 0
    for page in sorted(PAGES.glob("*.md")):
        for text in BLOCK.findall(page.read_text()):
            if not re.search(r"^pack ", text, re.MULTILINE):
                continue
            packs += 1
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "pack.attr").write_text(text)
                checks = [["check", folder]] + [["test", folder, f"--engine={e}"] for e in ("interpreter", "native")]
                for check in checks:
                    code, output = run(*check)
                    clean = "warning" not in output and "0 passed" not in output
                    if code == 0 and clean:
                        continue
                    failed += 1
                    print(f"{page.name}: attrc {check[0]} gives {code}:\n{output}")
    print(f"{packs} packs, {failed} failures")
    return 1 if failed or packs < 4 else 0


sys.exit(main())
