"""Playing and seeking on a loudspeaker without a pace."""

import os
import shutil
import subprocess

MPV = ["mpv", "--no-config", "--no-video", "--really-quiet", "--ao=alsa", "--audio-device=alsa/speaker"]


def measure(rig, table):
    processor(rig, table)
    bus(rig, table)
    seeking(rig, table)


def processor(rig, table):
    """Ten minutes of speech as FLAC, against the bare loop over the same libraries and what else plays files."""
    store = rig.path("memos")
    loop = rig.peer("playback_loop.c", "asound", "sndfile")
    file = rig.yesterday(600, "flac", store)
    environment = {"TOMORROW_STORE": store, "AUDIODEV": "speaker"}
    players = {
        "tomorrow": [rig.program, "play", "1", "-D", "speaker"],
        "C loop": [loop, "speaker", file],
        "sox play": ["play", "-q", file],
        "mpv": [*MPV, file],
        "ffmpeg": ["ffmpeg", "-v", "error", "-i", file, "-f", "alsa", "speaker"],
    }
    measures = [lambda command=command: rig.run(command, environment).processor
                for command in players.values()]
    ours, *others = rig.turns(rig.runs(7, 3), *measures, warmup=1)
    for against, theirs in zip(list(players)[1:], others):
        table.add("play 10 min, flac: processor", ours, against, theirs, "s")


def bus(rig, table):
    """The start of a player with a session bus to which media keys go, and without one."""
    address = "unix:path=" + rig.path("bus")
    server = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address",
                               f"--address={address}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    server.stdout.readline()
    command = [rig.program, "play", "1", "-D", "speaker", "--restart", "--to", "0.1"]

    def play(environment):
        environment["TOMORROW_STORE"] = rig.path("memos")
        return lambda: rig.run(command, environment).elapsed * 1_000

    try:
        ours, theirs = rig.turns(rig.runs(100, 20), play({"DBUS_SESSION_BUS_ADDRESS": address}), play({}))
        table.add("play 0.1 s, with a bus", ours, "without a bus", theirs, "ms")
    finally:
        server.terminate()
        server.wait()


def seeking(rig, table):
    """A tenth of a second in the last minute of two hours: against mpv, and against one at the start."""
    store = rig.path("memos")
    minutes = 20 if rig.is_quick else 120
    for format in ["flac", "opus"]:
        file = rig.yesterday(minutes * 60, format, store)

        def place(start):
            command = [rig.program, "play", "1", "-D", "speaker", "--restart", "--from", start, "--to", start + ".1"]
            return lambda: rig.run(command, {"TOMORROW_STORE": store}).elapsed * 1_000

        def mpv():
            return rig.run([*MPV, f"--start={minutes - 1}:00", "--length=0.1", file]).elapsed * 1_000

        ours, first, theirs = rig.turns(rig.runs(15, 10), place(f"{minutes - 1}:00"), place("0"), mpv)
        table.add(f"seek to the last minute, {format}", ours, "mpv", theirs, "ms")
        table.add(f"seek to the last minute, {format}", ours, "the start", first, "ms")
    shutil.rmtree(store)
