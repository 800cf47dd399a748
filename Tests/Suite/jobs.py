"""Runs commands apart from the rest of the machine, several at a time."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

CONTAINED = Path(__file__).with_name("contained.py")
# Ends with this process, however that ends.
NAMESPACES = ["setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"]


class Job:
    """A command with a log, a TMPDIR and a namespace of its own."""

    def __init__(self, name, command, environment=None, medium="disk", timeout=1200):
        self.name = name
        self.command = command
        self.environment = environment or {}
        self.medium = medium
        self.timeout = timeout
        self.seconds = 0
        self.status = None
        self.leftovers = []
        self.log = None
        self.process = None

    @property
    def text(self):
        return self.log.read_text(errors="replace")

    @property
    def trouble(self):
        """Why the command itself failed, or None."""
        if self.status == 0:
            return None
        if self.seconds >= self.timeout:
            return f"timed out after {self.timeout} s"
        if self.status > 128:
            return f"killed by {signal.Signals(self.status - 128).name}"
        return f"exit status {self.status}"


class Runner:
    """Starts jobs, and ends them all when the run is interrupted."""

    def __init__(self, folder):
        self.folder = folder
        # Where the logs go.
        self.logs = folder
        self.count = 0
        self.running = []
        probe = subprocess.run(NAMESPACES + ["true"], stderr=subprocess.DEVNULL)
        self.has_namespaces = probe.returncode == 0

    def start(self, job):
        self.count += 1
        # Sockets are created below TMPDIR, and their paths must be short.
        job.folder = self.folder / str(self.count)
        job.folder.mkdir()
        job.folder.chmod(0o711)
        job.report = self.folder / f"{self.count}.json"
        self.logs.mkdir(parents=True, exist_ok=True)
        job.log = self.logs / f"{job.name.replace('/', '.')}.log"
        job.began = time.monotonic()
        namespaces = NAMESPACES if self.has_namespaces else []
        contained = [sys.executable, CONTAINED, job.report, job.folder, job.medium]
        with open(job.log, "w") as log:
            job.process = subprocess.Popen(
                [*namespaces, *contained, *job.command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                env={**os.environ, **job.environment, "TMPDIR": str(job.folder), "PYTHONDONTWRITEBYTECODE": "1"})
        self.running.append(job)

    def finish(self, job):
        job.seconds = time.monotonic() - job.began
        job.status = job.process.returncode if job.process.returncode >= 0 else 128 - job.process.returncode
        self.running.remove(job)
        if job.report.exists():
            job.leftovers = json.loads(job.report.read_text())
        shutil.rmtree(job.folder, ignore_errors=True)

    def run(self, jobs, workers, ended=lambda job: None):
        """Runs jobs in this order, so many at a time, and calls back after each."""
        waiting = list(jobs)
        running = []
        while waiting or running:
            while waiting and len(running) < workers:
                job = waiting.pop(0)
                self.start(job)
                running.append(job)
            time.sleep(0.02)
            for job in list(running):
                if time.monotonic() - job.began > job.timeout:
                    self.end([job])
                if job.process.poll() is not None:
                    running.remove(job)
                    self.finish(job)
                    ended(job)

    def end(self, jobs):
        """Ends jobs with everything they started."""
        for job in jobs:
            try:
                os.killpg(job.process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        for job in jobs:
            try:
                job.process.wait(10)
            except subprocess.TimeoutExpired:
                # In a namespace nothing outlives this.
                job.process.kill()
                job.process.wait()

    def end_all(self):
        self.end(self.running)
