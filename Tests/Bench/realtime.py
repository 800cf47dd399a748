"""Devices in real time: how soon sound flows, and what recording takes while somebody looks at it."""

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import processes
from rig import FRAME_BYTES, RATE, PipeWire, SoundServer

# How many of a kind are measured beside each other where time is real.
RUNS_AT_ONCE = 5


def measure(rig, table):
    # A loudspeaker in real time that notes when it was started: the same for all players.
    plugin = rig.library("../PacedSpeaker/paced_speaker.c", "asound")
    heard = f'pcm_type.paced {{ lib "{plugin}" }} pcm.paced {{ type paced note "{rig.path("first")}" }}'
    rig.set_devices(heard)
    first_played_frame(rig, table)
    with SoundServer(rig):
        first_captured_frame(rig, table)
        display(rig, table)
    with PipeWire(rig) as server:
        through_pipewire(rig, table, server)


def _until_first(rig, command, environment=None):
    """A function that runs a command and gives the milliseconds to the moment that is noted in `first`."""
    def run():
        first = rig.path("first")
        if os.path.exists(first):
            os.remove(first)
        start = time.monotonic_ns()
        rig.run(command, environment)
        with open(first) as file:
            return (int(file.read()) - start) / 1e6
    return run


def first_played_frame(rig, table):
    for format, against in [("wav", "aplay"), ("flac", "mpv")]:
        store = rig.path("memos-" + format)
        file = rig.yesterday(0.25, format, store)
        ours = [rig.program, "play", "1", "-D", "paced", "--restart"]
        peers = {
            "aplay": ["aplay", "-q", "-D", "paced", file],
            "mpv": ["mpv", "--no-config", "--no-video", "--really-quiet", "--ao=alsa", "--audio-device=alsa/paced",
                    file],
        }
        times = rig.turns(rig.runs(20, 5), _until_first(rig, ours, {"TOMORROW_STORE": store}),
                          _until_first(rig, peers[against]), warmup=1)
        table.add(f"start to first played frame, {format}", times[0], against, times[1], "ms")
        shutil.rmtree(store)


def first_captured_frame(rig, table):
    """The row of the take is durable by then; what the others capture is on disk when the system likes."""
    store, take = rig.path("takes"), rig.path("take.wav")
    preload = {"LD_PRELOAD": rig.library("first_frame.c", "dl"), "FIRST_FRAME": rig.path("first"),
               "TOMORROW_STORE": store}
    ours = [rig.program, "record", "-y", "-D", "pulse_mic", "-d", "0.5"]
    peer = ["arecord", "-q", "-D", "pulse_mic", "-f", "S16_LE", "-r", "48000", "-c", "1", "-s", "24000", take]
    times = rig.turns(rig.runs(20, 5), _until_first(rig, ours, preload), _until_first(rig, peer, preload),
                      warmup=1)
    table.add("start to first captured frame", times[0], "arecord", times[1], "ms")
    shutil.rmtree(store)


def display(rig, table):
    """A minute with a meter on a terminal, in real time. All at once: there is room for all on a machine, and what
    happens to one happens to the others."""
    seconds = 10 if rig.is_quick else 60
    ours = [rig.program, "record", "-y", "-D", "pulse_mic", "-d", str(seconds)]
    peers = [["arecord", "-V", "mono", "-D", "pulse_mic", "-f", "S16_LE", "-r", "48000", "-c", "1", "-d", str(seconds),
              rig.path(f"take{run}.wav")] for run in range(RUNS_AT_ONCE)]
    sides = ([], [])
    with ThreadPoolExecutor(2 * RUNS_AT_ONCE) as pool:
        for peer in peers:
            for side, command in zip(sides, [ours, peer]):
                side.append(pool.submit(_on_terminal, command, rig.path("takes")))
                # PulseAudio refuses the sixth that knocks at once.
                time.sleep(0.1)
    ours, theirs = ([future.result() for future in side] for side in sides)
    table.add("record with a meter: processor", ours, "arecord -V mono", theirs, "s")


def through_pipewire(rig, table, server):
    """Ten seconds recorded and as many played in real time, against PipeWire's own tools, and all at once."""
    seconds = 10
    store = rig.path("memos")
    file = rig.yesterday(seconds, "flac", store)
    environment = server.environment | {"TOMORROW_STORE": store}
    running = {"record": ([], []), "play": ([], [])}
    for run in range(RUNS_AT_ONCE):
        commands = {
            "record": ([rig.program, "record", "-y", "-D", "pipewire_mic", "-d", str(seconds), "-f", "wav"],
                       ["pw-record", "--target", "mic", "--rate", "48000", "--channels", "1",
                        rig.path(f"take{run}.wav")]),
            "play": ([rig.program, "play", "1", "-D", "pipewire_speaker", "--restart"],
                     ["pw-play", "--target", "speaker", file]),
        }
        for what, pair in commands.items():
            for side, command in zip(running[what], pair):
                side.append(processes.start_process(command, rig.path("notes"), environment))
    time.sleep(seconds + 1)
    # pw-record knows no end, and calls what ends it a failure.
    for process in running["record"][1]:
        os.kill(process, signal.SIGINT)
    for what, sides in running.items():
        ours, theirs = ([_processor(process, f"{what} through PipeWire", may_fail=what == "record" and index == 1)
                         for process in side] for index, side in enumerate(sides))
        table.add(f"{what} in real time, PipeWire: processor", ours, f"pw-{what}", theirs, "s")
    for run in range(RUNS_AT_ONCE):
        if os.path.getsize(rig.path(f"take{run}.wav")) < seconds * RATE * FRAME_BYTES * 0.9:
            sys.exit("bench: pw-record has not recorded")
    shutil.rmtree(store)


def _processor(process, what, may_fail):
    """Waits for a process, and gives what it took of the processor, in seconds."""
    _, status, usage = os.wait4(process, 0)
    if status != 0 and not may_fail:
        sys.exit(f"bench: {what} failed")
    return usage.ru_utime + usage.ru_stime


def _on_terminal(command, store):
    """Runs a command on a terminal of 80 columns, and gives what it takes of the processor, in seconds."""
    main, terminal = pty.openpty()
    process = subprocess.Popen(
        ["setsid", "--ctty", *command], stdin=terminal, stdout=terminal, stderr=terminal,
        env=os.environ | {"TOMORROW_STORE": store, "TERM": "xterm-256color", "COLUMNS": "80"})
    os.close(terminal)
    shown = b""
    try:
        while read := os.read(main, 65_536):
            shown = (shown + read)[-500:]
    except OSError:
        pass  # EIO: whoever had the terminal has gone.
    os.close(main)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        raise RuntimeError(f"{command} failed: {shown}")
    return usage.ru_utime + usage.ru_stime
