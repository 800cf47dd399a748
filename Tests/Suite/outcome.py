"""What a stage's jobs came to."""

import json
import re


class Failure:
    """A failed test or step, with the command that runs just that again."""

    def __init__(self, name, details, rerun):
        self.name = name
        self.details = details
        self.rerun = rerun


class Outcome:
    """A stage's counts, failures and time."""

    def __init__(self, stage):
        self.stage = stage
        self.passed = 0
        self.skipped = 0
        self.failures = []
        self.seconds = 0
        self.not_run = None
        self.stalls = []

    @property
    def tests(self):
        return self.passed + len(self.failures)

    @property
    def result(self):
        if self.not_run:
            return f"not run: {self.not_run}"
        text = f"{len(self.failures)} failed" if self.failures else "passed"
        if self.skipped:
            text += f", {self.skipped} skipped"
        if self.stalls:
            text += f", {len(self.stalls)} rerun{'s' if len(self.stalls) > 1 else ''} after rig stalls"
        return text

    def fail(self, name, details, rerun=None):
        self.failures.append(Failure(name, details, rerun or f"Scripts/test --stage {self.stage}"))

    def add_step(self, job):
        """Counts a job that is one check."""
        if job.trouble:
            self.fail(job.name, [job.trouble] + last_lines(job.text))
        else:
            self.passed += 1
        self.add_leftovers(job)

    def add_tests(self, job, events):
        """Counts the tests in a test process's event stream (Swift Testing's ABI, version 0)."""
        before = len(self.failures)
        issues, started, is_complete = {}, set(), False
        for event in read_events(events):
            kind, test = event["kind"], event.get("testID", "")
            is_function = "/" in test
            if kind == "testStarted" and is_function:
                started.add(test)
            elif kind == "issueRecorded" and not event["issue"].get("isKnown"):
                issues.setdefault(test, []).extend(describe(event))
            elif kind == "testSkipped" and is_function:
                self.skipped += 1
            elif kind == "testEnded" and is_function:
                started.discard(test)
                if event["messages"][0]["symbol"] == "fail":
                    self.fail(name_of(test), issues.pop(test, []), rerun_of(test))
                else:
                    self.passed += 1
                    issues.pop(test, None)
            elif kind == "runEnded":
                is_complete = True
        if not is_complete:
            running = [f"{name_of(test)} had not ended" for test in sorted(started)]
            self.fail(
                job.name, [f"the test process crashed: {job.trouble}"] + running + last_lines(job.text),
                f"Scripts/test '{job.name}'")
        elif job.status != 0 and len(self.failures) == before:
            details = [line for lines in issues.values() for line in lines]
            self.fail(job.name, [job.trouble] + details, f"Scripts/test '{job.name}'")
        self.add_leftovers(job, f"Scripts/test '{job.name}'")

    def add_leftovers(self, job, rerun=None):
        """Fails if the job ended normally and left anything behind."""
        if job.leftovers and job.status < 128:
            self.fail(f"{job.name}: left behind", job.leftovers, rerun)


def read_events(path):
    if not path.exists():
        return
    for line in path.read_text().splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            # A process that was killed may have written half of its last line.
            continue
        if record["kind"] == "event":
            yield record["payload"]


def describe(event):
    place = event["issue"].get("sourceLocation") or {}
    where = f"{place['fileID'].split('/')[-1]}:{place['line']}: " if place else ""
    return [where + message["text"] for message in event["messages"]]


def name_of(test):
    """`Suite/test()` for `Module.Suite/test()/File.swift:1:2`."""
    return test.rpartition("/")[0].partition(".")[2]


def rerun_of(test):
    return f"Scripts/test '{re.sub(r'[(].*', '', name_of(test))}'"


def last_lines(text, count=15):
    return text.rstrip().splitlines()[-count:]
