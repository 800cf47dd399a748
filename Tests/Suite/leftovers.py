"""What a run could leave on the machine outside its namespaces."""

import os
import subprocess


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    except FileNotFoundError:
        return []


def state(folder):
    """Loop devices, mounts and processes that refer to the folder, and the user's crontab."""
    found = {f"crontab line: {line}" for line in output("crontab", "-l")}
    found |= {f"loop device: {line}" for line in output("losetup", "--list", "--noheadings") if str(folder) in line}
    with open("/proc/self/mounts") as file:
        found |= {f"mount: {line.split()[1]}" for line in file if str(folder) in line}
    found |= {f"process {pid}" for pid in processes(folder)}
    return found


def processes(folder):
    """The PIDs of other processes whose working directory, command line or open files are below the folder."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) == os.getpid():
            continue
        links = [f"/proc/{pid}/cwd"]
        try:
            links += [f"/proc/{pid}/fd/{name}" for name in os.listdir(f"/proc/{pid}/fd")]
            with open(f"/proc/{pid}/cmdline") as file:
                text = file.read()
            text += " ".join(os.readlink(link) for link in links)
        except OSError:
            continue
        if str(folder) in text:
            yield pid


def sweep():
    """Removes the shared memory libfaketime leaves when a process is killed.

    It carries a PID, and the next process with that PID would wait for it forever.
    """
    for name in os.listdir("/dev/shm"):
        if "faketime" in name and not os.path.exists(f"/proc/{name.rpartition('_')[2]}"):
            try:
                os.remove(f"/dev/shm/{name}")
            except OSError:
                # Another user's, or somebody else was faster.
                pass
