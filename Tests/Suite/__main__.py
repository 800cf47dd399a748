"""Runs the test suite; Scripts/test calls it."""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import leftovers
from jobs import Runner
from outcome import Outcome
from stages import FILTERED, STAGES, Suite, filtered

USAGE = "Scripts/test [--all] [--stage NAME]... [FILTER]"
LOGS = Path(".build/test-logs")


class Interrupted(Exception):
    pass


def parse():
    lines = [f"  {stage.name:<9} {stage.help}" for stage in STAGES]
    slow = " ".join(stage.name for stage in STAGES if stage.is_slow)
    parser = argparse.ArgumentParser(
        prog="Scripts/test", usage=USAGE, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Run the test suite and print a summary.",
        epilog="stages:\n" + "\n".join(lines) + f"\n\nOnly --all runs: {slow}.\nLogs are kept in {LOGS}.")
    parser.add_argument("--all", action="store_true", help="run all stages")
    parser.add_argument(
        "--stage", action="append", default=[], metavar="NAME", choices=[stage.name for stage in STAGES],
        help="run only this stage, and the stages it needs")
    parser.add_argument(
        "filter", nargs="?", metavar="FILTER",
        help="run only the tests whose name (Suite/test) matches this regular expression")
    return parser.parse_args()


def chosen(arguments):
    """The stages to run, in order."""
    by_name = {stage.name: stage for stage in STAGES}
    if arguments.filter:
        return [by_name["build"], filtered(arguments.filter, arguments.stage)]
    if not arguments.stage:
        return [stage for stage in STAGES if arguments.all or not stage.is_slow]
    names = set(arguments.stage)
    for name in arguments.stage:
        names.update(by_name[name].needs)
    return [stage for stage in STAGES if stage.name in names]


class Show:
    """What is printed while stages run."""

    def __init__(self):
        self.failures = 0

    def stage(self, stage):
        print(f"== {stage.name}", flush=True)
        self.failures = 0

    def job(self, job, outcome):
        has_failed = len(outcome.failures) > self.failures
        self.failures = len(outcome.failures)
        if has_failed:
            print(job.text.rstrip())
        print(f"   {job.name}: {'FAILED' if has_failed else 'ok'}, {job.seconds:.1f} s", flush=True)


def run(stages, suite):
    outcomes = {}
    for stage in stages:
        outcome = outcomes[stage.name] = Outcome(stage.name)
        missing = [name for name in stage.needs if name in outcomes and outcomes[name].failures]
        if missing:
            outcome.not_run = f"{missing[0]} failed"
            outcome.fail(stage.name, [outcome.result])
            print(f"== {stage.name}: {outcome.result}", flush=True)
            continue
        suite.show.stage(stage)
        suite.runner.logs = LOGS / stage.name
        shutil.rmtree(suite.runner.logs, ignore_errors=True)
        began = time.monotonic()
        try:
            stage.run(suite, outcome)
        except (OSError, subprocess.CalledProcessError) as error:
            outcome.fail(stage.name, [str(error)])
        if not outcome.tests + outcome.skipped and stage.name != FILTERED:
            outcome.fail(stage.name, ["no tests found"])
        outcome.seconds = time.monotonic() - began
        print(f"== {stage.name}: {outcome.result}, {outcome.seconds:.0f} s", flush=True)
    return list(outcomes.values())


def summarize(outcomes):
    """Prints the table and all failures. Returns whether everything passed."""
    print(f"\n{'stage':<10}{'tests':>6}{'time':>8}  result")
    for outcome in outcomes:
        tests, seconds = ("-", "-") if outcome.not_run else (outcome.tests, f"{outcome.seconds:.0f} s")
        print(f"{outcome.stage:<10}{tests:>6}{seconds:>8}  {outcome.result}")
    for outcome in outcomes:
        for line in outcome.stalls:
            print("  rig stall: " + line.replace("\t", ": "))
    failures = [(outcome, failure) for outcome in outcomes for failure in outcome.failures]
    if failures:
        print("\nFailures:")
    for outcome, failure in failures:
        print(f"\n{outcome.stage}: {failure.name}")
        for line in failure.details:
            print(f"    {line}")
        print(f"  run again: {failure.rerun}")
    print(f"\n{sum(outcome.passed for outcome in outcomes)} passed, {len(failures)} failed", flush=True)
    return not failures


def main():
    arguments = parse()
    if arguments.filter:
        try:
            re.compile(arguments.filter)
        except re.error as error:
            sys.exit(f"Scripts/test: invalid filter '{arguments.filter}': {error}")
    stages = chosen(arguments)

    def interrupt(number, _):
        raise Interrupted(number)

    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, interrupt)
    folder = Path(tempfile.mkdtemp(prefix="tmp."))
    # Some tests run the program as another user.
    folder.chmod(0o711)
    runner = Runner(folder)
    suite = Suite(runner, folder, Show())
    interrupted = None
    try:
        if subprocess.run(["Scripts/setup", "--test"]).returncode != 0:
            sys.exit(1)
        leftovers.sweep()
        before = leftovers.state(folder)
        outcomes = run(stages, suite)
        left = sorted(leftovers.state(folder) - before)
        if left:
            outcomes.append(Outcome("leftovers"))
            outcomes[-1].fail("left behind", left, "Scripts/test")
    except Interrupted as interruption:
        interrupted = interruption.args[0]
    finally:
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            signal.signal(number, signal.SIG_IGN)
        runner.end_all()
        leftovers.sweep()
        shutil.rmtree(folder, ignore_errors=True)
    if interrupted:
        print("\nScripts/test: interrupted", file=sys.stderr, flush=True)
        signal.signal(interrupted, signal.SIG_DFL)
        os.kill(os.getpid(), interrupted)
    if any(outcome.stage == FILTERED and not outcome.tests + outcome.skipped for outcome in outcomes):
        sys.exit(f"Scripts/test: no test matches '{arguments.filter}'")
    sys.exit(0 if summarize(outcomes) else 1)


main()
