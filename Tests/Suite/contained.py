"""Runs a command, ends every process it started, and reports what it left behind.

    python3 contained.py REPORT FOLDER disk|memory COMMAND...

FOLDER is the command's TMPDIR. As process 1 of a PID namespace this also owns /dev/shm and all mounts, and can keep
FOLDER in memory; elsewhere it adopts orphans. SIGTERM ends the command and everything below it. Writes a JSON list
of leftovers to REPORT.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
# How long processes may take to end once the command has ended.
GRACE_SECONDS = 3


def descendants():
    """The PIDs of all live descendants, with their command lines."""
    parents, names = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
            with open(f"/proc/{name}/cmdline") as file:
                command = file.read().replace("\0", " ").strip()
        except OSError:
            continue
        if state not in "ZX":
            names[int(name)] = command
        parents[int(name)] = int(parent)
    own = os.getpid()

    def is_below(pid):
        while pid in parents:
            pid = parents[pid]
            if pid == own:
                return True
        return False

    return {pid: command for pid, command in names.items() if pid != own and (own == 1 or is_below(pid))}


def reap():
    """Collects children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def kill_descendants():
    while left := descendants():
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap()
        time.sleep(0.01)


def mounts(folder):
    """Mount points below the folder, the deepest first."""
    with open("/proc/self/mounts") as file:
        points = [line.split()[1].encode().decode("unicode_escape") for line in file]
    return sorted((point for point in points if point.startswith(folder + "/")), reverse=True)


def unmount(folder):
    # A frozen file system outlives its last mount, and its writers cannot be killed.
    for point in mounts(folder):
        subprocess.run(["fsfreeze", "--unfreeze", point], stderr=subprocess.DEVNULL)
    kill_descendants()
    for point in mounts(folder):
        subprocess.run(["umount", "--lazy", point], stderr=subprocess.DEVNULL)


def leftovers(folder):
    end = time.monotonic() + GRACE_SECONDS
    while (left := descendants()) and time.monotonic() < end:
        reap()
        time.sleep(0.02)
    found = [f"process {pid}: {command}" for pid, command in left.items()]
    found += [f"mount: {point}" for point in mounts(folder)]
    if os.getpid() == 1:
        # libfaketime leaves some whenever a process is killed.
        names = [name for name in sorted(os.listdir("/dev/shm")) if "faketime" not in name]
        found += [f"shared memory: /dev/shm/{name}" for name in names]
    # Those of tests and scripts. SwiftPM leaves others.
    names = [name for name in sorted(os.listdir(folder)) if name.startswith(("tomorrow-test-", "tmp."))]
    found += [f"file: {folder}/{name}" for name in names]
    return found


def main():
    report, folder, medium, *command = sys.argv[1:]
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)

    def terminate(*_):
        unmount(folder)
        os._exit(128 + signal.SIGTERM)

    signal.signal(signal.SIGTERM, terminate)
    if os.getpid() == 1:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", "/dev/shm"], check=True)
        if medium == "memory":
            subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=711", "tmpfs", folder], check=True)
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child.pid:
            break
    with open(report, "w") as file:
        json.dump(leftovers(folder), file)
    unmount(folder)
    code = os.waitstatus_to_exitcode(status)
    sys.exit(code if code >= 0 else 128 - code)


main()
