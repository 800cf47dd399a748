/// The commands and options of the program, in the order in which they are shown. Parsing, help, the
/// manual page and completions are made from this list and from nothing else.
public enum CommandTable {
    /// Options that stand before or behind any command.
    public static let globalOptions = [
        OptionSpecification(
            "color", value: "WHEN", completes: .oneOf(["auto", "always", "never"]),
            "Use colours: auto (the default) does on a terminal."),
        OptionSpecification("help", short: "h", "Show this help."),
        OptionSpecification("verbose", "Say what the libraries had to say."),
        OptionSpecification("version", "Show the version."),
    ]

    /// The commands.
    public static let commands = [
        CommandSpecification(
            "record", "Record a memo for tomorrow.",
            details: """
                Ends with Enter, q, Ctrl-D, Ctrl-C, 'tomorrow stop', or when its time is up. What was \
                recorded is kept, whatever ends it. Space pauses, m sets a marker, Escape throws the take away \
                after asking. At a terminal the memo, already saved, can then be heard, named, trimmed, recorded \
                again or thrown away; with --yes it is just kept.
                """,
            options: [
                title, category,
                OptionSpecification(
                    "for", short: "d", value: "DURATION", "Stop by itself: 90, 90s, 1m30s, 1:30."),
                OptionSpecification(
                    "at", value: "CLOCK", "Wait until the clock reads this, such as 07:30, then start."),
                OptionSpecification(
                    "stop-on-silence", value: "DURATION",
                    "Stop by itself when it was below -40 dBFS for so long."),
                deliver,
                OptionSpecification(
                    "format", short: "f", value: "NAME", completes: .oneOf(formats),
                    "flac (the default), wav, opus, vorbis, mp3 or alac."),
                OptionSpecification(
                    "rate", short: "r", value: "HZ", completes: .such(rates),
                    "Frames a second; 48000 by default."),
                OptionSpecification(
                    "bits", short: "b", value: "16|24", completes: .oneOf(["16", "24"]),
                    "Depth of a sample; 16 by default."),
                OptionSpecification(
                    "channels", value: "N", completes: .such(["1", "2"]), "1 (the default) or more."),
                OptionSpecification(
                    "device", short: "D", value: "NAME", completes: .asked(.recordingDevices),
                    "The ALSA device to record from."),
                OptionSpecification("yes", short: "y", "Do not ask what to do with the take; it is kept."),
                json,
            ]),
        CommandSpecification(
            "stop", "End the take that is running.",
            details: "From anywhere: bind it to a key of the window manager. Waits until the take is saved."),
        CommandSpecification(
            "list", "Show what can be heard now.",
            options: [
                OptionSpecification("waiting", "Show what waits for its day instead."),
                OptionSpecification("all", "Show both."),
                category,
                OptionSpecification(
                    "search", value: "TEXT",
                    "Only memos with this in their title, category or markers, in capitals or not."),
                json,
            ]),
        CommandSpecification(
            "play", operands: "[ID…]", count: 0...1_000, completes: [.asked(.available)], "Play memos.",
            details: """
                Without a number: all that can be heard and was not heard yet, else the newest. 'latest' is \
                the newest. A memo that was broken off goes on where it was. At a terminal: space pauses, left \
                and right go 5 s, down and up 30 s, Home to the start, 0 to 9 to as many tenths, comma and \
                point from marker to marker, m sets a marker, n and p play the next and the previous memo, \
                [ and ] change the speed, Backspace sets it to 1, - and + change the volume, q stops.
                """,
            options: [
                OptionSpecification(
                    "speed", short: "s", value: "0.5…3", completes: .such(["0.75", "1", "1.25", "1.5", "2"]),
                    "How fast; the pitch stays. 1 by default."),
                OptionSpecification(
                    "volume", value: "0…200",
                    "How loud: 100 is as recorded, 50 is 12 dB less, 200 is 12 dB more."),
                OptionSpecification("pan", value: "-1…1", "From the left, -1, to the right, 1."),
                OptionSpecification("even", "Bring every memo to one loudness (EBU R 128)."),
                OptionSpecification("loop", value: "N", "Play each memo N times; 0 is for ever."),
                OptionSpecification("from", value: "POSITION", "Begin there: 90, 90s, 1m30s, 1:30."),
                OptionSpecification("to", value: "POSITION", "End there."),
                OptionSpecification(
                    "at", value: "CLOCK", "Wait until the clock reads this, such as 07:30, then start."),
                OptionSpecification("restart", "Begin at the start, wherever it was broken off."),
                OptionSpecification(
                    "device", short: "D", value: "NAME", completes: .asked(.playingDevices),
                    "The ALSA device to play to."),
            ]),
        CommandSpecification(
            "show", operands: "ID", count: 1...1, completes: [.asked(.available)],
            "Show the waveform and details of a memo that can be heard.",
            options: [json]),
        CommandSpecification(
            "edit", operands: "ID", count: 1...1, completes: [.asked(.memos)],
            "Change a memo's title, category or markers.",
            details: """
                A title or a category of nothing ('') takes it away. The title and the category of a memo that \
                waits can be changed too.
                """,
            options: [
                title, category,
                OptionSpecification(
                    "add-marker", value: "POSITION[=TEXT]",
                    "Mark a place, such as 1:30 or 1:30='the idea'; may be given several times."),
                OptionSpecification(
                    "remove-marker", value: "N",
                    "Take the Nth marker away, as 'show' counts them; may be given several times."),
            ]),
        CommandSpecification(
            "delete", operands: "ID…", count: 1...1_000, completes: [.asked(.memos)],
            "Delete memos now rather than tomorrow.",
            details: """
                Asks on a terminal; where standard input is none, as in a script, it deletes at once. A memo that \
                waits can be deleted too.
                """,
            options: [OptionSpecification("yes", short: "y", "Do not ask.")]),
        CommandSpecification(
            "import", operands: "FILE", count: 1...1, completes: [.file], "Make a memo of a file of sound.",
            details: """
                Any kind of file that libsndfile reads; '-' is standard input. The memo shows as if it had been \
                recorded now. Without --title it is called what the file calls itself, else as the file is named, \
                without the ending. A whole FLAC, WAV (of 16 or 24 bits), Opus, Vorbis, MP3 or ALAC file is kept as \
                it is, byte for byte; any other becomes FLAC. Of a damaged file, what can be heard is kept. The \
                file itself is left alone.
                """,
            options: [
                title, category, deliver,
                OptionSpecification(
                    "format", short: "f", value: "NAME", completes: .oneOf(formats),
                    "Keep it as flac, wav, opus, vorbis, mp3 or alac."),
                json,
            ]),
        CommandSpecification(
            "export", operands: "ID FILE", count: 2...2, completes: [.asked(.available), .file],
            "Write a memo that can be heard to a file.",
            details: """
                FILE's ending says the format: .flac, .wav, .opus, .ogg (Vorbis), .mp3 or .caf (ALAC). In the \
                memo's own format the file is a copy, byte for byte, and so has no tags; in any other, title, date \
                and category are written into it, and a rate that the format does not hold becomes the next one that \
                it does. Silence that was trimmed is left out, for which the sound is \
                encoded anew. The file can be read by you alone.
                """,
            options: [OptionSpecification("force", "Replace FILE where it is there already.")]),
        CommandSpecification(
            "expire", "Remove what is over; cron runs this.",
            details: """
                Also saves takes that were interrupted. Prints nothing when there is nothing to do. When the clock \
                has leapt more than 30 days and nothing keeps it in step, what is over stays on disk for \
                another day, in case the clock is wrong.
                """,
            options: [
                OptionSpecification("dry-run", "Only say what would be removed."),
                OptionSpecification("force", "Believe the clock even if it has leapt."),
                json,
            ]),
        CommandSpecification(
            "schedule", operands: "install|remove|status", count: 1...1,
            completes: [.oneOf(["install", "remove", "status"])],
            "Have expire run by itself, or see whether it does.",
            details: """
                'install' adds one line to your crontab and changes nothing else there; 'remove' takes it \
                away. Without it memos that are over cannot be heard either, but take space. A user timer \
                runs while you are logged in. Where the units of systemd are installed with the program, \
                'systemctl --user enable --now tomorrow.timer' does the same as '--with systemd'; 'schedule \
                service' and 'schedule timer' print them.
                """,
            options: [
                OptionSpecification(
                    "with", value: "cron|systemd", completes: .oneOf(["cron", "systemd"]),
                    "Who runs it: cron (the default), or a user timer of systemd."),
                OptionSpecification(
                    "every", value: "DURATION", "How often; 5m by default. What divides an hour or a day."),
                json,
            ]),
        CommandSpecification(
            "devices", "Show what can be recorded from and played to.",
            details: "The names are what --device takes.",
            options: [json]),
        CommandSpecification(
            "status", "Show counts, the next arrival and departure, and space used.",
            options: [
                OptionSpecification("short", "One line for a shell prompt; nothing when there is nothing."),
                json,
            ]),
        CommandSpecification(
            "doctor", "Check the store, the schedule and the sound devices.",
            details: """
                With --fix, what is safe is mended: permissions, files without a row, rows without a file. A \
                damaged database is replaced by one made from the memos' files; what can still be read of it, such \
                as titles, is taken over, and nothing of it is kept.
                """,
            options: [OptionSpecification("fix", "Mend what is safe to mend."), json]),
        CommandSpecification(
            "completion", operands: "bash|zsh|fish", count: 1...1,
            completes: [.oneOf(["bash", "zsh", "fish"])],
            "Print what teaches a shell to complete.",
            details: """
                For bash, for instance: eval "$(tomorrow completion bash)" in ~/.bashrc. What such a script asks the \
                program is plain text, and never an error: 'tomorrow completion memos' prints numbers and titles.
                """),
        CommandSpecification(
            "help", operands: "[COMMAND]", count: 0...1, completes: [.commands], "Show help.",
            details: "Where the manual is not installed, 'tomorrow help --man | man -l -' shows it.",
            options: [OptionSpecification("man", "Print the manual page, for man to set.")]),
    ]

    /// The command of a name, or nil.
    public static func command(_ name: String) -> CommandSpecification? {
        commands.first { $0.name == name }
    }

    /// The names of the formats; the program's own list of them is tested against this one.
    public static let formats = ["flac", "wav", "opus", "vorbis", "mp3", "alac"]
    private static let rates = ["16000", "44100", "48000", "96000"]
    private static let days = ["tomorrow", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "+2d", "+7d"]

    private static let title = OptionSpecification("title", short: "t", value: "TEXT", "What to call it.")
    private static let category = OptionSpecification(
        "category", short: "c", value: "NAME", completes: .asked(.categories),
        "focus, presence, courage, fun, ambition, imagination, or one of the configuration file.")
    private static let deliver = OptionSpecification(
        "deliver", value: "DAY", completes: .such(days),
        "Show on a later day: 2026-12-24, fri, +3d, tomorrow.")
    private static let json = OptionSpecification("json", "Print JSON for programs.")
}
