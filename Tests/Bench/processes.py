"""Whole processes, and what they take."""

import os
import sys
import time
from dataclasses import dataclass


@dataclass
class Usage:
    """What a process took from its start to its end, in seconds."""

    elapsed: float
    processor: float  # the user's and the system's


def run(command, notes, environment=None, output="/dev/null", may_fail=False):
    """Runs a process to its end and measures it. Its standard error goes to the file `notes`."""
    start = time.monotonic()
    _, status, usage = os.wait4(start_process(command, notes, environment, output), 0)
    elapsed = time.monotonic() - start
    if status != 0 and not may_fail:
        with open(notes, errors="replace") as file:
            sys.exit(f"bench: {' '.join(command)} failed: {file.read()}")
    return Usage(elapsed, usage.ru_utime + usage.ru_stime)


def start_process(command, notes, environment=None, output="/dev/null"):
    """Starts a process that reads nothing, and gives its number."""
    to_file = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    return os.posix_spawnp(command[0], command, os.environ | (environment or {}), file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, to_file, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, notes, to_file, 0o600)])


def take_turns(runs, *measures, warmup=0):
    """Calls functions in turns, so that a machine that is not equally fast all the time is so to each.

    Gives a list of what it answered for each."""
    answers = [[] for _ in measures]
    for index in range(warmup + runs):
        for measure, list in zip(measures, answers):
            answer = measure()
            if index >= warmup:
                list.append(answer)
    return answers


def peak_megabytes(process):
    """The most memory that a running process has had so far (VmHWM)."""
    # Not wait4's ru_maxrss: a child begins with what its parent has, and Python has more than all of these.
    with open(f"/proc/{process}/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    raise RuntimeError(f"{process} is no process with memory")
