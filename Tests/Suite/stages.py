"""The stages of the test suite."""

import os
import re
import subprocess
from pathlib import Path

from jobs import Job

STRICT = ["-Xswiftc", "-warnings-as-errors", "-Xcc", "-Werror"]
# Most tests wait for child processes, and real-time tests for the clock.
QUICK_WORKERS = 3
REALTIME_WORKERS = int(os.environ.get("TOMORROW_REALTIME_WORKERS", "4"))
SLOW_WORKERS = 2
# Real-time tests go before other work on a shared machine where that is permitted.
REALTIME_PRIORITY = ["nice", "-n", "-10"] if os.getuid() == 0 else []

# What takes longest starts first: seconds, as measured.
LONGEST = {
    "KillPointTests": 62, "BitExactTests": 57, "FailingCallTests": 53, "ImportTests": 43, "DiskTests": 37,
    "CommandLineTests": 29, "ManyProcessesTests": 26, "ExportTests": 25, "EncodingTests": 22, "LifeOfAMemoTests": 21,
    "TerminalModeTests": 20, "DoctorTests": 20, "PlayLoudnessTests": 19, "ListTests": 15, "PlayTests": 14,
    "RuleOfTimeTests": 150, "StoreTests": 30, "TranscoderTests": 16, "SeekTests": 11, "HostileFileTests": 8,
    "ReadingTests": 7, "MutationTests": 6, "MendingTests": 6, "HouseTests": 4,
    "LongSeekSlowTests/aSeekInTwoHoursOfOurOwnIsExactAndQuick(name:)": 400,
    "LongTakeSlowTests/anHourTakesNoMoreMemoryAndNoLongerToStopThanAMinute(format:)": 95,
    "LongSeekSlowTests/aSeekInTwoHoursOfALossyFileIsExactAndQuick(name:)": 146,
    "GoneMeansGoneSlowTests/nothingIsLeftOfWhatIsGone(seed:)": 136,
    "BitExactRealTimeTests/twentySecondsThroughASoundServerComeBackBitForBit()": 45,
    "MediaKeysRealTimeTests/nothingOnTheBusDisturbsTheSound(trouble:)": 17,
    "FaultyCardRealTimeTests/aLossThatNobodyReportsIsFoundByTheClock()": 13,
    "FaultTableRealTimeTests/aSignalKeepsEverythingUpToIt(signal:)": 12,
    "PlayDeviceRealTimeTests/whatDoesNotComeBackIsGivenUpAndThePlaceIsKept()": 20,
    "SoundServerRealTimeTests/aSoundServerThatHangsDoesNotHoldTheTakeBack()": 11,
    "FaultTableRealTimeTests/aKillTakesNoMoreAtAnyRate(format:)": 9,
    "FaultyCardRealTimeTests/aCardThatFallsSilentWithoutAnErrorIsGivenUp()": 9,
    "FaultyCardRealTimeTests/aCardThatHasNoSingleChannelIsMixed()": 9,
    "FaultyCardRealTimeTests/whatIsLostBeforeTheEndIsToldToo()": 8,
    "FaultTableRealTimeTests/whatTheDeviceLosesIsSilenceOfTheSameLength(fault:)": 7,
}


class Stage:
    """A stage: its name, what --help says about it, what it needs, and whether only --all runs it."""

    def __init__(self, name, help, needs=(), is_slow=False):
        self.name = name
        self.help = help
        self.needs = needs
        self.is_slow = is_slow

    def run(self, suite, outcome):
        """Runs the stage and adds to its outcome."""
        raise NotImplementedError


class Commands(Stage):
    """A stage of shell commands, each run only if the one before it succeeded; together they are one check."""

    def __init__(self, name, help, script, **options):
        super().__init__(name, help, **options)
        self.script = script

    def run(self, suite, outcome):
        suite.run_step(Job(self.name, ["bash", "-euxc", self.script], suite.environment), outcome)


class Tests(Stage):
    """A stage of test suites, each in a process of its own."""

    def __init__(
            self, name, help, select, needs=("build",), workers=QUICK_WORKERS, medium="disk", is_split=False,
            priority=(), **more):
        super().__init__(name, help, needs=needs, **more)
        self.select = select
        self.workers = workers
        # Where TMPDIR is. A sync takes no time in memory.
        self.medium = medium
        # Whether each test is a process.
        self.is_split = is_split
        self.priority = list(priority)

    def run(self, suite, outcome):
        suite.run_tests(self, [test for test in suite.list_tests() if self.select(test)], outcome)


class Package(Commands):
    """A stage that builds the package, and tests it."""

    def run(self, suite, outcome):
        super().run(suite, outcome)
        packages = list(suite.folder.glob("packages/*.deb"))
        if not outcome.failures:
            suite.environment["TOMORROW_PACKAGE"] = str(packages[0])
            PACKAGE_TESTS.run(suite, outcome)


def suite_of(test):
    """`ProgramTests.ListTests` for `ProgramTests.ListTests/name()`."""
    return test.split("/")[0]


def is_kind(test, *kinds):
    return suite_of(test).endswith(tuple(kind + "Tests" for kind in kinds))


def is_quick(test):
    return not is_kind(test, "RealTime", "Slow", "Torture")


def is_program(test):
    return test.startswith("ProgramTests.")


def is_package(test):
    return suite_of(test) == "ProgramTests.PackageSlowTests"


# SwiftPM is not in between: it would run one test process at a time.
BUILD = f"swift build --build-tests {' '.join(STRICT)}"
INSTALL = """
mkdir "$TMPDIR/prefix"
Scripts/install "$TMPDIR/prefix"
"$TMPDIR/prefix/bin/tomorrow" --version
MANPATH=$TMPDIR/prefix/share/man man 1 tomorrow >/dev/null
install -D "$TMPDIR/prefix/bin/tomorrow" "$TOMORROW_PROGRAM"
Scripts/install --remove "$TMPDIR/prefix"
[ -z "$(ls -A "$TMPDIR/prefix")" ]
rmdir "$TMPDIR/prefix"
"""
PACKAGE = """
packages=$(dirname "$TOMORROW_PROGRAM")/../packages
mkdir "$packages"
Scripts/package --program "$TOMORROW_PROGRAM" "$packages"
lintian --allow-root --fail-on error,warning "$packages"/*.deb
"""
PACKAGE_TESTS = Tests("package", "", is_package)

STAGES = [
    Commands("scripts", "shellcheck on all scripts (2 s)", "shellcheck Scripts/* .ci/run"),
    Commands(
        "format", "swift format lint (10 s)",
        "swift format lint --strict --recursive --parallel Sources Tests Package.swift"),
    Commands("build", "debug build of everything, warnings as errors (2 min)", BUILD),
    Tests(
        "unit", "tests of the modules (30 s)", lambda test: is_quick(test) and not is_program(test),
        medium="memory"),
    Tests(
        "program", "tests of the program (2 min)", lambda test: is_quick(test) and is_program(test),
        medium="memory"),
    Tests(
        "realtime", "tests of the program at the pace of a sound card (2 min)", lambda test: is_kind(test, "RealTime"),
        workers=REALTIME_WORKERS, is_split=True, medium="memory", priority=REALTIME_PRIORITY),
    Commands("install", "release build, installation and removal (2 min)", INSTALL, is_slow=True),
    Tests(
        "slow", "recordings of more than an hour, with the release build (6 min)",
        lambda test: is_kind(test, "Slow") and not is_package(test), needs=("build", "install"),
        workers=SLOW_WORKERS, is_split=True, is_slow=True),
    Package(
        "package", "Debian package, lintian, and its tests on a minimal Debian (1 min)", PACKAGE,
        needs=("build", "install"), is_slow=True),
    Commands(
        "campaign", "kills, failing calls and hostile files (3 min)", "Scripts/torture --minutes 3",
        needs=("build",), is_slow=True),
    Commands("demo", "Scripts/demo (30 s)", "Scripts/demo", is_slow=True),
]


class Suite:
    """One run: where it works, and what its stages share."""

    def __init__(self, runner, folder, show):
        self.runner = runner
        self.folder = folder
        self.show = show
        self.stalls = folder / "stalls"
        self.environment = {
            "TOMORROW_TEST_STALLS": str(self.stalls),
            "TOMORROW_PROGRAM": str(folder / "release" / "tomorrow"),
        }
        self.tests = None
        self.binary = None

    def run_step(self, job, outcome):
        self.runner.run([job], 1)
        outcome.add_step(job)
        self.show.job(job, outcome)

    def list_tests(self):
        """All tests, as `Module.Suite/name()`."""
        if self.tests is None:
            path = subprocess.run(
                ["swift", "build", "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
            self.binary = [str(next(Path(path).glob("*PackageTests.xctest"))), "--testing-library", "swift-testing"]
            listed = subprocess.run(self.binary + ["--list-tests"], check=True, capture_output=True, text=True)
            self.tests = listed.stdout.split("\n")[:-1]
        return self.tests

    def run_tests(self, stage, tests, outcome):
        """Runs tests, each suite as a job."""
        groups = {}
        for test in tests:
            groups.setdefault(test if stage.is_split else suite_of(test), []).append(test)
        order = sorted(groups, key=lambda name: (-LONGEST.get(name.partition(".")[2], 0), -len(groups[name]), name))
        environment = self.environment
        if not (self.folder / "release").exists():
            environment = {key: value for key, value in environment.items() if key != "TOMORROW_PROGRAM"}
        jobs = []
        for name in order:
            options = ["--no-parallel"] if is_kind(name, "RealTime", "Torture") else []
            whole = stage.is_split or len(groups[name]) == sum(suite_of(test) == name for test in self.list_tests())
            for pattern in [name] if whole else groups[name]:
                options += ["--filter", f"^{re.escape(pattern)}/"]
            events = self.folder / f"{name.replace('/', '.')}.events"
            options += ["--event-stream-version", "0", "--event-stream-output-path", str(events)]
            command = stage.priority + self.binary + options
            job = Job(re.sub(r"^\w+[.]|[(].*", "", name), command, environment, stage.medium)
            job.events = events
            jobs.append(job)

        def ended(job):
            outcome.add_tests(job, job.events)
            self.show.job(job, outcome)

        self.runner.run(jobs, stage.workers, ended)
        if self.stalls.exists():
            outcome.stalls = self.stalls.read_text().splitlines()
            self.stalls.unlink()


# The name of the stage that runs what FILTER matches.
FILTERED = "tests"


def filtered(pattern, stage_names):
    """A stage that runs the tests that a filter matches, in the named stages or in all."""
    stages = [stage for stage in STAGES if stage.name in stage_names and isinstance(stage, Tests)]

    def select(test):
        return re.search(pattern, test) and (not stage_names or any(stage.select(test) for stage in stages))

    return Tests(FILTERED, "", select)


