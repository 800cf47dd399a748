"""Recording from a microphone without a pace: what it takes of the processor, of memory, and to stop."""

import os
import shutil
import signal
import threading
import time

import processes
from rig import FRAME_BYTES, RATE


def measure(rig, table):
    processor(rig, table)
    stopping(rig, table)


def processor(rig, table):
    """Ten minutes of speech, against the bare loop over the same libraries, and against what else records."""
    store, take = rig.path("takes"), rig.path("take")
    loop = rig.peer("capture_loop.c", "asound", "sndfile")

    def ours(format):
        usage = rig.tomorrow("record", "-y", "-D", "mic", "-d", "600", "-f", format,
                             environment={"TOMORROW_STORE": store})
        shutil.rmtree(store)
        return usage.processor

    def peer(*command):
        usage = rig.run(command, {"AUDIODEV": "mic"})
        os.remove(take)
        return usage.processor

    for format in ["flac", "opus", "wav"]:
        bare = lambda: peer(loop, "mic", format, "600", take)
        others = {"C loop": bare}
        if format == "flac":
            others["sox rec"] = lambda: peer("rec", "-q", "-c", "1", "-r", "48000", "-b", "16", "-t", "flac",
                                             take, "trim", "0", "600")
        if format == "wav":
            others["arecord"] = lambda: peer("arecord", "-q", "-D", "mic", "-f", "S16_LE", "-r", "48000", "-c", "1",
                                             "-d", "600", take)
        runs = rig.runs(5, 1) if format == "opus" else rig.runs(7, 3)
        seconds, *all_theirs = rig.turns(runs, lambda: ours(format), *others.values(), warmup=0)
        for against, theirs in zip(others, all_theirs):
            table.add(f"record 10 min, {format}: processor", seconds, against, theirs, "s")


def stopping(rig, table):
    """Takes of a minute and of three hours: the most memory, and how long it takes to stop."""
    store = rig.path("takes")
    long = 1_800 if rig.is_quick else 3 * 3_600
    ours = [rig.program, "record", "-y", "-D", "fifo"]
    arecord = ["arecord", "-q", "-D", "fifo", "-f", "S16_LE", "-r", "48000", "-c", "1", rig.path("take.wav")]

    def take(seconds, command=ours):
        result = _take(rig, command, seconds, {"TOMORROW_STORE": store})
        shutil.rmtree(store, ignore_errors=True)
        return result

    after_long, after_short, peer = rig.turns(
        rig.runs(5, 1), lambda: take(long), lambda: take(60), lambda: take(60, arecord), warmup=0)
    table.add("stop to saved, after a long take", [stop * 1000 for stop, _ in after_long], "after a minute",
              [stop * 1000 for stop, _ in after_short], "ms")
    table.add("peak memory, recording a long take", [peak for _, peak in after_long], "recording a minute",
              [peak for _, peak in after_short], "MB")
    table.add("peak memory, recording a minute", [peak for _, peak in after_short], "arecord",
              [peak for _, peak in peer], "MB")


def _take(rig, command, seconds, environment):
    """Records so many seconds as fast as they are taken, goes on in real time until the disk has them, and stops.

    Gives the seconds from the stop to the end of the process, and its peak memory in megabytes before it."""
    fifo = rig.path("fifo")
    if not os.path.exists(fifo):
        os.mkfifo(fifo)
    process = processes.start_process(command, rig.path("notes"), environment)
    given, hurry, over = threading.Event(), threading.Event(), threading.Event()
    feeder = threading.Thread(target=_feed, args=(rig, fifo, seconds, given, hurry, over))
    feeder.start()
    given.wait()
    # What was written is synced once a second; what a stop costs is not to depend on how fast it came.
    time.sleep(3)
    peak = processes.peak_megabytes(process)
    # A device without a pace always has a buffer full, which the recorder takes before it stops.
    hurry.set()
    start = time.monotonic()
    os.kill(process, signal.SIGINT)
    os.waitpid(process, 0)
    elapsed = time.monotonic() - start
    over.set()
    feeder.join()
    return elapsed, peak


def _feed(rig, fifo, seconds, given, hurry, over):
    """Writes speech into the named pipe that the device reads: so many seconds at once, then in real time, and in
    the end at once again."""
    piece = RATE * FRAME_BYTES // 20
    with open(rig.path("speech.raw"), "rb") as speech, open(fifo, "wb", buffering=0) as pipe:
        try:
            left = seconds * RATE * FRAME_BYTES
            while not over.is_set():
                sound = speech.read(piece) or (speech.seek(0), speech.read(piece))[1]
                pipe.write(sound)
                left -= len(sound)
                if left <= 0:
                    given.set()
                    hurry.wait(0.05)
        except BrokenPipeError:
            given.set()
