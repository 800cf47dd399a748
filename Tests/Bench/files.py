"""Files: what an import, the mending of a killed take and the program itself cost."""

import os
import shutil
import signal
import time
import wave
from pathlib import Path

import processes
from rig import FRAME_BYTES, RATE


def measure(rig, table):
    importing(rig, table)
    mending(rig, table)
    table.add_size("size of the installed program", os.path.getsize(rig.program) / 1e6, "MB")


def importing(rig, table):
    """A WAV as FLAC, against flac with the level that libsndfile takes. The program reads what it has written and
    compares it with the source, as flac does when it is told to verify."""
    minutes = 10 if rig.is_quick else 60
    source, target, store = rig.path("source.wav"), rig.path("target.flac"), rig.path("imported")
    with wave.open(source, "wb") as file, open(rig.path("speech.raw"), "rb") as speech:
        file.setparams((1, FRAME_BYTES, RATE, 0, "NONE", ""))
        file.writeframes(speech.read(minutes * 60 * RATE * FRAME_BYTES))

    def ours():
        usage = rig.tomorrow("import", source, "-f", "flac", environment={"TOMORROW_STORE": store})
        shutil.rmtree(store)
        return usage.processor

    def flac(*options):
        return lambda: rig.run(["flac", "-5", *options, "-s", "-f", "-o", target, source]).processor

    ours, verified, bare = rig.turns(rig.runs(5, 1), ours, flac("--verify"), flac(), warmup=0)
    table.add("import a WAV as flac: processor", ours, "flac -5 --verify", verified, "s")
    table.add("import a WAV as flac: processor", ours, "flac -5", bare, "s")
    os.remove(source)
    os.remove(target)


def mending(rig, table):
    """A take of an hour that was killed: the command that finds and mends it, against decoding it once."""
    killed, store = rig.path("killed"), rig.path("mended")
    file = _killed_take(rig, killed, minutes=30 if rig.is_quick else 60)

    def ours():
        shutil.rmtree(store, ignore_errors=True)
        shutil.copytree(killed, store)
        os.sync()
        return rig.tomorrow("status", environment={"TOMORROW_STORE": store}).elapsed * 1_000

    def theirs():
        # To standard output: what flac is told to write it gives the rights of what it has read, be it a device.
        command = ["flac", "-d", "-s", "-F", "-c", file]
        return rig.run(command, may_fail=True).elapsed * 1_000

    ours, theirs = rig.turns(rig.runs(5, 1), ours, theirs, warmup=0)
    table.add("mend a killed take, flac", ours, "flac -d", theirs, "ms")
    shutil.rmtree(killed)
    shutil.rmtree(store)


def _killed_take(rig, store, minutes):
    """Records without an end, and kills the recorder when it has about so many minutes. Gives the file."""
    bytes = minutes * 60 * RATE * FRAME_BYTES // 3
    process = processes.start_process([rig.program, "record", "-y", "-D", "mic"], rig.path("notes"),
                                      {"TOMORROW_STORE": store})
    file = None
    while not file or os.path.getsize(file) < bytes:
        time.sleep(0.01)
        file = next(Path(store).glob("audio/*"), None)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return str(file)
