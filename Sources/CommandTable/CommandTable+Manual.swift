/// What the manual says beside the commands: settings, files, environment, signals, examples.
extension CommandTable {
    /// The settings of the configuration file.
    public static let settings = [
        SettingSpecification("day-start", "04:00", "When a new day begins, for people who go to bed late."),
        SettingSpecification("format", "opus", "The format of a take, as --format has it."),
        SettingSpecification("rate", "48000", "Frames a second, as --rate has it."),
        SettingSpecification("bits", "24", "Depth of a sample, as --bits has it."),
        SettingSpecification("channels", "2", "Channels of a take, as --channels has it."),
        SettingSpecification("capture-device", "hw:1", "The ALSA device to record from."),
        SettingSpecification("playback-device", "hw:1", "The ALSA device to play to."),
        SettingSpecification("volume", "80", "How loud memos are played, as --volume has it."),
        SettingSpecification("speed", "1.25", "How fast memos are played, as --speed has it."),
        SettingSpecification("even", "yes", "Whether every memo is brought to one loudness."),
        SettingSpecification("categories", "work, family", "Categories beside those that there are."),
        SettingSpecification(
            "announce-with", "mail -s Memo me", "A line of shell that is run instead of a notification."),
        SettingSpecification("announce-from", "08:00", "Before this time of the day nothing is announced."),
        SettingSpecification(
            "remind-before", "2h", "How long before it leaves a memo is announced once more."),
    ]

    static let examples = [
        ("tomorrow record -t 'Begin with the hardest thing' -c courage", "Record a memo with a title."),
        ("tomorrow record -y -d 1m30s --at 07:30", "Record a minute and a half at half past seven."),
        ("tomorrow play --speed 1.25 --even", "Hear what is new, somewhat faster, all equally loud."),
        ("tomorrow list --all --search walk", "Look for a word in all memos."),
        ("tomorrow list --json | jq '.memos[].title'", "Print the titles of what can be heard."),
        ("tomorrow schedule install", "Have cron remove what is over."),
    ]

    static let files = [
        ("~/.config/tomorrow/config", "The settings."),
        ("~/.local/share/tomorrow/memos.db", "What there is to know about the memos, but for their sound."),
        (
            "~/.local/share/tomorrow/audio/",
            "A file of sound a memo, named ID-STARTED-SHOW-EXPIRE and its format's ending; times are UTC in "
                + "milliseconds."
        ),
        (
            "~/.config/systemd/user/",
            "tomorrow.timer and tomorrow.service of 'schedule install --with systemd'. What is installed with the "
                + "program is in /usr/local/lib/systemd/user or /usr/lib/systemd/user."
        ),
    ]

    static let environment = [
        ("TOMORROW_STORE", "The folder of the store, instead of ~/.local/share/tomorrow."),
        ("XDG_DATA_HOME", "Where the store's folder is, instead of ~/.local/share."),
        ("XDG_CONFIG_HOME", "Where the folder of the settings is, instead of ~/.config."),
        ("TZ", "The zone whose midnights count."),
        ("LC_ALL, LC_CTYPE, LANG", "Where they do not ask for UTF-8, drawings are made of ASCII."),
        ("NO_COLOR", "Set to anything: no colours, unless --color=always asks for them."),
        ("TERM", "On a dumb terminal nothing is drawn anew, and there are no colours."),
    ]

    static let signals = [
        (
            "INT, TERM, HUP, QUIT",
            "End a take, which is kept; the status is 0. Everything else tidies up and dies of the signal, so that "
                + "a loop of the shell ends too."
        ),
        ("TSTP, CONT", "Pause a take or a memo that plays, and go on."),
    ]
}
