# fish completion for tomorrow: tomorrow completion fish | source

# Prints the command and the operands that stand before the cursor.
function __tomorrow_words
    set -l words (commandline -opc)
    set -l isValue 0
    for word in $words[2..-1]
        if test $isValue = 1
            set isValue 0
            continue
        end
        switch $word
            case --color -t --title -c --category -d --for --at --stop-on-silence --deliver -f --format -r --rate -b --bits --channels -D --device --search -s --speed --volume --pan --loop --from --to --add-marker --remove-marker --with --every
                set isValue 1
            case '-*'
            case '*'
                printf '%s\n' $word
        end
    end
end

# Whether a command was typed, and so many operands behind it.
function __tomorrow_at
    set -l words (__tomorrow_words)
    test (count $words) -gt 0; and test "$words[1]" = $argv[1]; or return 1
    test (count $argv) -eq 1; or test (count $words) -gt $argv[2] -a (count $words) -le $argv[3]
end

# Prints what the program knows: a line each, with a tab before its title.
function __tomorrow_ask
    tomorrow completion $argv[1] 2>/dev/null
end

complete -c tomorrow -f
complete -c tomorrow -l color -x -a 'auto always never' -d 'Use colours: auto (the default) does on a terminal.'
complete -c tomorrow -s h -l help -d 'Show this help.'
complete -c tomorrow -l verbose -d 'Say what the libraries had to say.'
complete -c tomorrow -l version -d 'Show the version.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a record -d 'Record a memo for tomorrow.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a stop -d 'End the take that is running.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a list -d 'Show what can be heard now.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a play -d 'Play memos.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a show -d 'Show the waveform and details of a memo that can be heard.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a edit -d 'Change a memo\'s title, category or markers.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a delete -d 'Delete memos now rather than tomorrow.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a import -d 'Make a memo of a file of sound.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a export -d 'Write a memo that can be heard to a file.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a expire -d 'Remove what is over; cron runs this.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a schedule -d 'Have expire run by itself, or see whether it does.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a devices -d 'Show what can be recorded from and played to.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a status -d 'Show counts, the next arrival and departure, and space used.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a doctor -d 'Check the store, the schedule and the sound devices.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a completion -d 'Print what teaches a shell to complete.'
complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a help -d 'Show help.'
complete -c tomorrow -n '__tomorrow_at record' -s t -l title -x -d 'What to call it.'
complete -c tomorrow -n '__tomorrow_at record' -s c -l category -k -x -a '(__tomorrow_ask categories)' -d 'focus, presence, courage, fun, ambition, imagination, or one of the configuration file.'
complete -c tomorrow -n '__tomorrow_at record' -s d -l for -x -d 'Stop by itself: 90, 90s, 1m30s, 1:30.'
complete -c tomorrow -n '__tomorrow_at record' -l at -x -d 'Wait until the clock reads this, such as 07:30, then start.'
complete -c tomorrow -n '__tomorrow_at record' -l stop-on-silence -x -d 'Stop by itself when it was below -40 dBFS for so long.'
complete -c tomorrow -n '__tomorrow_at record' -l deliver -x -a 'tomorrow mon tue wed thu fri sat sun +2d +7d' -d 'Show on a later day: 2026-12-24, fri, +3d, tomorrow.'
complete -c tomorrow -n '__tomorrow_at record' -s f -l format -x -a 'flac wav opus vorbis mp3 alac' -d 'flac (the default), wav, opus, vorbis, mp3 or alac.'
complete -c tomorrow -n '__tomorrow_at record' -s r -l rate -x -a '16000 44100 48000 96000' -d 'Frames a second; 48000 by default.'
complete -c tomorrow -n '__tomorrow_at record' -s b -l bits -x -a '16 24' -d 'Depth of a sample; 16 by default.'
complete -c tomorrow -n '__tomorrow_at record' -l channels -x -a '1 2' -d '1 (the default) or more.'
complete -c tomorrow -n '__tomorrow_at record' -s D -l device -k -x -a '(__tomorrow_ask recording-devices)' -d 'The ALSA device to record from.'
complete -c tomorrow -n '__tomorrow_at record' -s y -l yes -d 'Do not ask what to do with the take; it is kept.'
complete -c tomorrow -n '__tomorrow_at record' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at list' -l waiting -d 'Show what waits for its day instead.'
complete -c tomorrow -n '__tomorrow_at list' -l all -d 'Show both.'
complete -c tomorrow -n '__tomorrow_at list' -s c -l category -k -x -a '(__tomorrow_ask categories)' -d 'focus, presence, courage, fun, ambition, imagination, or one of the configuration file.'
complete -c tomorrow -n '__tomorrow_at list' -l search -x -d 'Only memos with this in their title, category or markers, in capitals or not.'
complete -c tomorrow -n '__tomorrow_at list' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at play' -s s -l speed -x -a '0.75 1 1.25 1.5 2' -d 'How fast; the pitch stays. 1 by default.'
complete -c tomorrow -n '__tomorrow_at play' -l volume -x -d 'How loud: 100 is as recorded, 50 is 12 dB less, 200 is 12 dB more.'
complete -c tomorrow -n '__tomorrow_at play' -l pan -x -d 'From the left, -1, to the right, 1.'
complete -c tomorrow -n '__tomorrow_at play' -l even -d 'Bring every memo to one loudness (EBU R 128).'
complete -c tomorrow -n '__tomorrow_at play' -l loop -x -d 'Play each memo N times; 0 is for ever.'
complete -c tomorrow -n '__tomorrow_at play' -l from -x -d 'Begin there: 90, 90s, 1m30s, 1:30.'
complete -c tomorrow -n '__tomorrow_at play' -l to -x -d 'End there.'
complete -c tomorrow -n '__tomorrow_at play' -l at -x -d 'Wait until the clock reads this, such as 07:30, then start.'
complete -c tomorrow -n '__tomorrow_at play' -l restart -d 'Begin at the start, wherever it was broken off.'
complete -c tomorrow -n '__tomorrow_at play' -s D -l device -k -x -a '(__tomorrow_ask playing-devices)' -d 'The ALSA device to play to.'
complete -c tomorrow -n '__tomorrow_at play 0 1000' -k -x -a '(__tomorrow_ask available)'
complete -c tomorrow -n '__tomorrow_at show' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at show 0 1' -k -x -a '(__tomorrow_ask available)'
complete -c tomorrow -n '__tomorrow_at edit' -s t -l title -x -d 'What to call it.'
complete -c tomorrow -n '__tomorrow_at edit' -s c -l category -k -x -a '(__tomorrow_ask categories)' -d 'focus, presence, courage, fun, ambition, imagination, or one of the configuration file.'
complete -c tomorrow -n '__tomorrow_at edit' -l add-marker -x -d 'Mark a place, such as 1:30 or 1:30=\'the idea\'; may be given several times.'
complete -c tomorrow -n '__tomorrow_at edit' -l remove-marker -x -d 'Take the Nth marker away, as \'show\' counts them; may be given several times.'
complete -c tomorrow -n '__tomorrow_at edit 0 1' -k -x -a '(__tomorrow_ask memos)'
complete -c tomorrow -n '__tomorrow_at delete' -s y -l yes -d 'Do not ask.'
complete -c tomorrow -n '__tomorrow_at delete 0 1000' -k -x -a '(__tomorrow_ask memos)'
complete -c tomorrow -n '__tomorrow_at import' -s t -l title -x -d 'What to call it.'
complete -c tomorrow -n '__tomorrow_at import' -s c -l category -k -x -a '(__tomorrow_ask categories)' -d 'focus, presence, courage, fun, ambition, imagination, or one of the configuration file.'
complete -c tomorrow -n '__tomorrow_at import' -l deliver -x -a 'tomorrow mon tue wed thu fri sat sun +2d +7d' -d 'Show on a later day: 2026-12-24, fri, +3d, tomorrow.'
complete -c tomorrow -n '__tomorrow_at import' -s f -l format -x -a 'flac wav opus vorbis mp3 alac' -d 'Keep it as flac, wav, opus, vorbis, mp3 or alac.'
complete -c tomorrow -n '__tomorrow_at import' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at import 0 1' -r -F
complete -c tomorrow -n '__tomorrow_at export' -l force -d 'Replace FILE where it is there already.'
complete -c tomorrow -n '__tomorrow_at export 0 1' -k -x -a '(__tomorrow_ask available)'
complete -c tomorrow -n '__tomorrow_at export 1 2' -r -F
complete -c tomorrow -n '__tomorrow_at expire' -l dry-run -d 'Only say what would be removed.'
complete -c tomorrow -n '__tomorrow_at expire' -l force -d 'Believe the clock even if it has leapt.'
complete -c tomorrow -n '__tomorrow_at expire' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at schedule' -l with -x -a 'cron systemd' -d 'Who runs it: cron (the default), or a user timer of systemd.'
complete -c tomorrow -n '__tomorrow_at schedule' -l every -x -d 'How often; 5m by default. What divides an hour or a day.'
complete -c tomorrow -n '__tomorrow_at schedule' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at schedule 0 1' -x -a 'install remove status'
complete -c tomorrow -n '__tomorrow_at devices' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at status' -l short -d 'One line for a shell prompt; nothing when there is nothing.'
complete -c tomorrow -n '__tomorrow_at status' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at doctor' -l fix -d 'Mend what is safe to mend.'
complete -c tomorrow -n '__tomorrow_at doctor' -l json -d 'Print JSON for programs.'
complete -c tomorrow -n '__tomorrow_at completion 0 1' -x -a 'bash zsh fish'
complete -c tomorrow -n '__tomorrow_at help' -l man -d 'Print the manual page, for man to set.'
complete -c tomorrow -n '__tomorrow_at help 0 1' -x -a 'record stop list play show edit delete import export expire schedule devices status doctor completion help'
