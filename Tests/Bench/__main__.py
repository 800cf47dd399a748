"""Measures the program against what else does the same; Scripts/bench calls it.

    python3 Tests/Bench PROGRAM [--quick] [--markdown] [--json FILE] [--only THEME]

A long take is one of three hours (quick: half an hour), sought in are two (20 minutes), mended is one (half an
hour), imported is one (ten minutes), and the meter is looked at for a minute (ten seconds).
"""

import argparse
import datetime
import os
import sys
import tempfile
from pathlib import Path

import files
import playing
import realtime
import recording
import stores
from rig import Rig
from table import Table

THEMES = {"stores": stores, "recording": recording, "playing": playing, "realtime": realtime, "files": files}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", default=".build/bench.json")
    parser.add_argument("--only", choices=THEMES)
    options = parser.parse_args()
    here = Path(__file__).resolve().parent
    table = Table(here / "limits.json", options.markdown)
    with tempfile.TemporaryDirectory() as folder:
        rig = Rig(folder, os.path.abspath(options.program), options.quick)
        for name, theme in THEMES.items():
            if options.only in (None, name):
                theme.measure(rig, table)
    worse = table.finish(options.json, options.only is None, {
        "date": datetime.date.today().isoformat(), "quick": options.quick, "processors": os.cpu_count()})
    for what, against in worse:
        print(f"bench: not within its limit: {what}, {against}", file=sys.stderr)
    return 1 if worse else 0


sys.exit(main())
