#compdef tomorrow

# Offers what the program knows: a line each, with a tab before its title.
_tomorrow_ask() {
    local -a offers
    offers=("${(@f)$(tomorrow completion $1 2>/dev/null)}")
    offers=("${(@)offers//:/\\:}")
    offers=("${(@)${(@)offers/$'\t'/:}:#}")
    (( $#offers )) && _describe -V -t $1 $1 offers
}

_tomorrow_commands() {
    local -a commands
    commands=(
        'record:Record a memo for tomorrow.'
        'stop:End the take that is running.'
        'list:Show what can be heard now.'
        'play:Play memos.'
        'show:Show the waveform and details of a memo that can be heard.'
        'edit:Change a memo'\''s title, category or markers.'
        'delete:Delete memos now rather than tomorrow.'
        'import:Make a memo of a file of sound.'
        'export:Write a memo that can be heard to a file.'
        'expire:Remove what is over; cron runs this.'
        'schedule:Have expire run by itself, or see whether it does.'
        'devices:Show what can be recorded from and played to.'
        'status:Show counts, the next arrival and departure, and space used.'
        'doctor:Check the store, the schedule and the sound devices.'
        'completion:Print what teaches a shell to complete.'
        'help:Show help.'
    )
    _describe -t commands command commands
}

_tomorrow() {
    local curcontext=$curcontext state line
    local -a global
    typeset -A opt_args
    global=(
        '--color=[Use colours\: auto (the default) does on a terminal.]:WHEN:(auto always never)'
        '(-h --help)'{-h,--help}'[Show this help.]'
        '--verbose[Say what the libraries had to say.]'
        '--version[Show the version.]'
    )
    _arguments -C -s -S $global '1:command:_tomorrow_commands' '*::operand:->operands' && return
    [[ $state == operands ]] || return
    case $words[1] in
    record) _arguments -s -S $global \
        '(-t --title)'{-t+,--title=}'[What to call it.]:TEXT:' \
        '(-c --category)'{-c+,--category=}'[focus, presence, courage, fun, ambition, imagination, or one of the configuration file.]:NAME: _tomorrow_ask categories' \
        '(-d --for)'{-d+,--for=}'[Stop by itself\: 90, 90s, 1m30s, 1\:30.]:DURATION:' \
        '--at=[Wait until the clock reads this, such as 07\:30, then start.]:CLOCK:' \
        '--stop-on-silence=[Stop by itself when it was below -40 dBFS for so long.]:DURATION:' \
        '--deliver=[Show on a later day\: 2026-12-24, fri, +3d, tomorrow.]:DAY:(tomorrow mon tue wed thu fri sat sun +2d +7d)' \
        '(-f --format)'{-f+,--format=}'[flac (the default), wav, opus, vorbis, mp3 or alac.]:NAME:(flac wav opus vorbis mp3 alac)' \
        '(-r --rate)'{-r+,--rate=}'[Frames a second; 48000 by default.]:HZ:(16000 44100 48000 96000)' \
        '(-b --bits)'{-b+,--bits=}'[Depth of a sample; 16 by default.]:16|24:(16 24)' \
        '--channels=[1 (the default) or more.]:N:(1 2)' \
        '(-D --device)'{-D+,--device=}'[The ALSA device to record from.]:NAME: _tomorrow_ask recording-devices' \
        '(-y --yes)'{-y,--yes}'[Do not ask what to do with the take; it is kept.]' \
        '--json[Print JSON for programs.]' ;;
    stop) _arguments -s -S $global ;;
    list) _arguments -s -S $global \
        '--waiting[Show what waits for its day instead.]' \
        '--all[Show both.]' \
        '(-c --category)'{-c+,--category=}'[focus, presence, courage, fun, ambition, imagination, or one of the configuration file.]:NAME: _tomorrow_ask categories' \
        '--search=[Only memos with this in their title, category or markers, in capitals or not.]:TEXT:' \
        '--json[Print JSON for programs.]' ;;
    play) _arguments -s -S $global \
        '(-s --speed)'{-s+,--speed=}'[How fast; the pitch stays. 1 by default.]:0.5…3:(0.75 1 1.25 1.5 2)' \
        '--volume=[How loud\: 100 is as recorded, 50 is 12 dB less, 200 is 12 dB more.]:0…200:' \
        '--pan=[From the left, -1, to the right, 1.]:-1…1:' \
        '--even[Bring every memo to one loudness (EBU R 128).]' \
        '--loop=[Play each memo N times; 0 is for ever.]:N:' \
        '--from=[Begin there\: 90, 90s, 1m30s, 1\:30.]:POSITION:' \
        '--to=[End there.]:POSITION:' \
        '--at=[Wait until the clock reads this, such as 07\:30, then start.]:CLOCK:' \
        '--restart[Begin at the start, wherever it was broken off.]' \
        '(-D --device)'{-D+,--device=}'[The ALSA device to play to.]:NAME: _tomorrow_ask playing-devices' \
        '*:operand: _tomorrow_ask available' ;;
    show) _arguments -s -S $global \
        '--json[Print JSON for programs.]' \
        '1:operand: _tomorrow_ask available' ;;
    edit) _arguments -s -S $global \
        '(-t --title)'{-t+,--title=}'[What to call it.]:TEXT:' \
        '(-c --category)'{-c+,--category=}'[focus, presence, courage, fun, ambition, imagination, or one of the configuration file.]:NAME: _tomorrow_ask categories' \
        '--add-marker=[Mark a place, such as 1\:30 or 1\:30='\''the idea'\''; may be given several times.]:POSITION\[=TEXT\]:' \
        '--remove-marker=[Take the Nth marker away, as '\''show'\'' counts them; may be given several times.]:N:' \
        '1:operand: _tomorrow_ask memos' ;;
    delete) _arguments -s -S $global \
        '(-y --yes)'{-y,--yes}'[Do not ask.]' \
        '*:operand: _tomorrow_ask memos' ;;
    import) _arguments -s -S $global \
        '(-t --title)'{-t+,--title=}'[What to call it.]:TEXT:' \
        '(-c --category)'{-c+,--category=}'[focus, presence, courage, fun, ambition, imagination, or one of the configuration file.]:NAME: _tomorrow_ask categories' \
        '--deliver=[Show on a later day\: 2026-12-24, fri, +3d, tomorrow.]:DAY:(tomorrow mon tue wed thu fri sat sun +2d +7d)' \
        '(-f --format)'{-f+,--format=}'[Keep it as flac, wav, opus, vorbis, mp3 or alac.]:NAME:(flac wav opus vorbis mp3 alac)' \
        '--json[Print JSON for programs.]' \
        '1:operand:_files' ;;
    export) _arguments -s -S $global \
        '--force[Replace FILE where it is there already.]' \
        '1:operand: _tomorrow_ask available' \
        '2:operand:_files' ;;
    expire) _arguments -s -S $global \
        '--dry-run[Only say what would be removed.]' \
        '--force[Believe the clock even if it has leapt.]' \
        '--json[Print JSON for programs.]' ;;
    schedule) _arguments -s -S $global \
        '--with=[Who runs it\: cron (the default), or a user timer of systemd.]:cron|systemd:(cron systemd)' \
        '--every=[How often; 5m by default. What divides an hour or a day.]:DURATION:' \
        '--json[Print JSON for programs.]' \
        '1:operand:(install remove status)' ;;
    devices) _arguments -s -S $global \
        '--json[Print JSON for programs.]' ;;
    status) _arguments -s -S $global \
        '--short[One line for a shell prompt; nothing when there is nothing.]' \
        '--json[Print JSON for programs.]' ;;
    doctor) _arguments -s -S $global \
        '--fix[Mend what is safe to mend.]' \
        '--json[Print JSON for programs.]' ;;
    completion) _arguments -s -S $global \
        '1:operand:(bash zsh fish)' ;;
    help) _arguments -s -S $global \
        '--man[Print the manual page, for man to set.]' \
        '1:operand:_tomorrow_commands' ;;
    esac
}

if [[ $funcstack[1] == _tomorrow ]]; then
    _tomorrow "$@"
else
    # A shell that has just been set up completes nothing yet.
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
    compdef _tomorrow tomorrow
fi
