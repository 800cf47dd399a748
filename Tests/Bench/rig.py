"""The machine on which all is measured: a private folder with devices, speech and stores."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import processes

SPEECH = (
    "Good morning. Begin with the hardest thing, and do it before you read what others want of you. Yesterday you "
    "were afraid of a telephone call, and it took four minutes. Today there is a letter to write, and a walk to "
    "take, whatever the weather says. Be patient with whoever asks the same question for the third time: so did "
    "you. And have a good day.")
RATE = 48_000
FRAME_BYTES = 2
TOP = Path(__file__).resolve().parent


class Rig:
    """A private folder with what is measured and what it is measured with.

    Devices without a pace, of ALSA's file plugin: `mic` hears speech for ever, `speaker` takes all."""

    def __init__(self, folder, program, is_quick):
        self.folder = Path(folder)
        self.program = program
        self.is_quick = is_quick
        os.environ.update(
            XDG_CONFIG_HOME=folder, HOME=folder, XDG_RUNTIME_DIR=folder, LC_ALL="C.UTF-8", TZ="UTC",
            DBUS_SESSION_BUS_ADDRESS=f"unix:path={folder}/no-bus",
            DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={folder}/no-bus",
            AUDIODRIVER="alsa", TOMORROW_STORE=self.path("store"))
        self._make_speech()
        self.set_devices("")

    def path(self, name):
        return str(self.folder / name)

    def runs(self, usual, quick):
        """How often something is to be measured."""
        return quick if self.is_quick else usual

    def run(self, command, environment=None, **options):
        return processes.run(command, self.path("notes"), environment, **options)

    def tomorrow(self, *arguments, **options):
        return self.run([self.program, *arguments], **options)

    def turns(self, runs, *measures, warmup=3):
        return processes.take_turns(runs, *measures, warmup=warmup)

    def peer(self, source, *libraries):
        """Builds a program in C of this folder, and gives its path."""
        return self._build(source, [f"-l{library}" for library in libraries])

    def library(self, source, *libraries):
        """Builds a library to be loaded into a program, from a source in C below Tests."""
        return self._build(source, ["-shared", "-fPIC", "-DPIC", *(f"-l{library}" for library in libraries)])

    def _build(self, source, options):
        built = self.path(Path(source).stem)
        subprocess.run(["cc", "-O2", "-o", built, TOP / source, *options], check=True)
        return built

    def set_devices(self, more):
        """Writes the configuration of sound: the devices without a pace, and more."""
        speech = self.path("speech.raw")
        Path(self.path("asound.conf")).write_text(f"""
            pcm.mic {{ type file slave.pcm null file /dev/null infile "{speech}" format raw }}
            pcm.fifo {{ type file slave.pcm null file /dev/null infile "{self.path("fifo")}" format raw }}
            pcm.speaker {{ type file slave.pcm null file /dev/null format raw }}
            {more}
            """)
        os.environ["ALSA_CONFIG_PATH"] = "/usr/share/alsa/alsa.conf:" + self.path("asound.conf")

    def _make_speech(self):
        """Two hours of speech, raw: 48 kHz, mono, 16 bits."""
        wav, piece = self.path("speech.wav"), self.path("piece.raw")
        subprocess.run(["espeak-ng", "-w", wav, SPEECH], check=True)
        subprocess.run(["sox", wav, *f"-t raw -r {RATE} -c 1 -b 16 -e signed".split(), piece, "pad", "0", "1.5"],
                       check=True)
        sound = Path(piece).read_bytes()
        seconds = len(sound) / (RATE * FRAME_BYTES)
        with open(self.path("speech.raw"), "wb") as file:
            for _ in range(int(7_210 / seconds) + 1):
                file.write(sound)

    def yesterday(self, seconds, format, store):
        """Records a memo that can be heard now, in a store made anew: libfaketime moves the clock of the program
        that records it. Gives the path of its file."""
        shutil.rmtree(store, ignore_errors=True)
        [library] = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
        self.tomorrow("record", "-y", "-D", "mic", "-d", str(seconds), "-f", format, environment={
            "TOMORROW_STORE": store, "LD_PRELOAD": library, "FAKETIME": "-1d",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1"})
        [file] = Path(store, "audio").iterdir()
        return str(file)


class Server:
    """Processes that run while something is measured."""

    def __init__(self, environment=None):
        self.environment = environment or {}
        self.processes = []

    def start(self, *command, **options):
        self.processes.append(subprocess.Popen(
            command, env=os.environ | self.environment, stderr=subprocess.DEVNULL, **options))

    def output(self, *command):
        """What a command prints that talks to it."""
        return subprocess.run(command, env=os.environ | self.environment, capture_output=True).stdout

    def wait_for(self, is_there):
        deadline = time.monotonic() + 20
        while not is_there():
            if time.monotonic() > deadline:
                sys.exit(f"bench: {self.processes[-1].args[0]} does not start")
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()


class SoundServer(Server):
    """A PulseAudio of our own with a silent microphone and a loudspeaker in real time: the devices `pulse_mic`
    and `pulse_speaker`."""

    DEVICES = """
        pcm.pulse_mic { type pulse device "mic.monitor" }
        pcm.pulse_speaker { type pulse device "speaker" }
        """

    def __init__(self, rig):
        super().__init__()
        socket = rig.path("pulse.socket")
        os.environ["PULSE_SERVER"] = "unix:" + socket
        rig.set_devices(self.DEVICES)
        sink = f"norewinds=1 format=s16le channels=1 rate={RATE}"
        self.start(
            "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes",
            "--log-level=error", "--realtime=no",
            "-L", f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
            "-L", f"module-null-sink sink_name=mic {sink}", "-L", f"module-null-sink sink_name=speaker {sink}")
        self.wait_for(lambda: self.output("pactl", "info"))
        # An idle null sink works in blocks of up to two seconds: a silent stream keeps it awake.
        for sink in ["mic", "speaker"]:
            self.start("pacat", "--playback", "--raw", f"--device={sink}", "--latency-msec=20", "--format=s16le",
                       "--channels=1", f"--rate={RATE}", stdin=open("/dev/zero"))


class PipeWire(Server):
    """A PipeWire of our own, which ALSA reaches as a PulseAudio: the devices `pipewire_mic` and
    `pipewire_speaker`, and `mic` and `speaker` for its own tools."""

    NULL = ("{{ factory = adapter args = {{ factory.name = support.null-audio-sink node.name = {} media.class = {}"
            " audio.position = [ MONO ] }} }}")

    def __init__(self, rig):
        # The path of a socket is short.
        self.folder = tempfile.TemporaryDirectory()
        folder = self.folder.name
        super().__init__({
            "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder, "XDG_RUNTIME_DIR": folder, "HOME": folder,
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/bus", "PULSE_SERVER": f"unix:{folder}/pulse"})
        os.makedirs(f"{folder}/pipewire/pipewire.conf.d")
        Path(f"{folder}/pipewire/pipewire.conf.d/devices.conf").write_text(f"""
            context.objects = [ {self.NULL.format("mic", "Audio/Source/Virtual")}
                {self.NULL.format("speaker", "Audio/Sink")} ]
            context.modules = [ {{ name = libpipewire-module-protocol-pulse
                args = {{ server.address = [ "unix:{folder}/pulse" ] }} }} ]
            """)
        rig.set_devices("""
            pcm.pipewire_mic { type pulse device "mic" }
            pcm.pipewire_speaker { type pulse device "speaker" }
            """)
        self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={folder}/bus")
        self.wait_for(lambda: os.path.exists(f"{folder}/bus"))
        self.start("pipewire")
        self.wait_for(lambda: os.path.exists(f"{folder}/pipewire-0"))
        self.start("wireplumber")
        self.wait_for(lambda: b"speaker" in self.output("pactl", "list", "short", "sinks"))

    def __exit__(self, *_):
        super().__exit__()
        self.folder.cleanup()
