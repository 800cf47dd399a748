"""Devices in real time: how soon sound flows, and what recording takes while somebody looks at it."""

import os
import pty
import shutil
import signal
import subprocess
import threading
import time

import processes
from rig import FRAME_BYTES, RATE, PipeWire, SoundServer


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
    """A minute with a meter on a terminal, in real time. Both at once: there is room for both on a machine, and
    what happens to one happens to the other."""
    seconds = 10 if rig.is_quick else 60
    ours = [rig.program, "record", "-y", "-D", "pulse_mic", "-d", str(seconds)]
    peer = ["arecord", "-V", "mono", "-D", "pulse_mic", "-f", "S16_LE", "-r", "48000", "-c", "1",
            "-d", str(seconds), rig.path("take.wav")]
    results = {"ours": [], "theirs": []}
    for _ in range(rig.runs(5, 1)):
        threads = [threading.Thread(target=lambda name=name, command=command: results[name].append(
            _on_terminal(command, rig.path("takes")))) for name, command in [("ours", ours), ("theirs", peer)]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    table.add("record with a meter: processor", results["ours"], "arecord -V mono",
              results["theirs"], "s")


def through_pipewire(rig, table, server):
    """Ten seconds recorded and as many played in real time, against PipeWire's own tools, and all at once."""
    seconds = 10
    store, take = rig.path("memos"), rig.path("take.wav")
    file = rig.yesterday(seconds, "flac", store)
    environment = server.environment | {"TOMORROW_STORE": store}
    ours = [rig.program, "record", "-y", "-D", "pipewire_mic", "-d", str(seconds), "-f", "wav"]
    commands = {
        "record": (ours, ["pw-record", "--target", "mic", "--rate", "48000", "--channels", "1", take]),
        "play": ([rig.program, "play", "1", "-D", "pipewire_speaker", "--restart"],
                 ["pw-play", "--target", "speaker", file]),
    }
    results = {what: ([], []) for what in commands}
    for _ in range(rig.runs(5, 1)):
        running = [(side, processes.start_process(command, rig.path("notes"), environment), command)
                   for what, pair in commands.items() for side, command in zip(results[what], pair)]
        time.sleep(seconds)
        for side, process, command in running:
            # It knows no end, and calls what ends it a failure.
            if command[0] == "pw-record":
                os.kill(process, signal.SIGINT)
            _, status, usage = os.wait4(process, 0)
            if status != 0 and command[0] != "pw-record":
                raise RuntimeError(f"{command} failed")
            side.append(usage.ru_utime + usage.ru_stime)
    if os.path.getsize(take) < seconds * RATE * FRAME_BYTES * 0.9:
        raise RuntimeError("pw-record has not recorded")
    for what, (ours, theirs) in results.items():
        table.add(f"{what} in real time, PipeWire: processor", ours, f"pw-{what}", theirs, "s")
    shutil.rmtree(store)


def _on_terminal(command, store):
    """Runs a command on a terminal of 80 columns, and gives what it takes of the processor, in seconds."""
    main, terminal = pty.openpty()
    process = subprocess.Popen(
        ["setsid", "--ctty", *command], stdin=terminal, stdout=terminal, stderr=terminal,
        env=os.environ | {"TOMORROW_STORE": store, "TERM": "xterm-256color", "COLUMNS": "80"})
    os.close(terminal)
    try:
        while os.read(main, 65_536):
            pass
    except OSError:
        pass  # EIO: whoever had the terminal has gone.
    os.close(main)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        raise RuntimeError(f"{command} failed")
    return usage.ru_utime + usage.ru_stime
