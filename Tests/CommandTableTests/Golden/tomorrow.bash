# bash completion for tomorrow: eval "$(tomorrow completion bash)"

_tomorrow() {
    local words=() word title rest=${COMP_LINE:0:COMP_POINT}
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ ${#words[@]} -eq 0 || $rest == [[:space:]]* ]]; then words+=(""); fi
        rest=${rest#"${rest%%[![:space:]]*}"}
        if [[ $rest != "$word"* ]]; then word=$rest; fi
        words[${#words[@]}-1]+=$word
        rest=${rest#"$word"}
    done

    local command="" option="" count=0 index
    for ((index = 1; index < ${#words[@]} - 1; index++)); do
        word=${words[index]}
        if [[ -n $option ]]; then
            option=""
        elif [[ $word == -* ]]; then
            case "$command $word" in
            *' --color') option=$word ;;
            'record -t' | 'record --title') option=$word ;;
            'record -c' | 'record --category') option=$word ;;
            'record -d' | 'record --for') option=$word ;;
            'record --at') option=$word ;;
            'record --stop-on-silence') option=$word ;;
            'record --deliver') option=$word ;;
            'record -f' | 'record --format') option=$word ;;
            'record -r' | 'record --rate') option=$word ;;
            'record -b' | 'record --bits') option=$word ;;
            'record --channels') option=$word ;;
            'record -D' | 'record --device') option=$word ;;
            'list -c' | 'list --category') option=$word ;;
            'list --search') option=$word ;;
            'play -s' | 'play --speed') option=$word ;;
            'play --volume') option=$word ;;
            'play --pan') option=$word ;;
            'play --loop') option=$word ;;
            'play --from') option=$word ;;
            'play --to') option=$word ;;
            'play --at') option=$word ;;
            'play -D' | 'play --device') option=$word ;;
            'edit -t' | 'edit --title') option=$word ;;
            'edit -c' | 'edit --category') option=$word ;;
            'edit --add-marker') option=$word ;;
            'edit --remove-marker') option=$word ;;
            'import -t' | 'import --title') option=$word ;;
            'import -c' | 'import --category') option=$word ;;
            'import --deliver') option=$word ;;
            'import -f' | 'import --format') option=$word ;;
            'schedule --with') option=$word ;;
            'schedule --every') option=$word ;;
            esac
        elif [[ -z $command ]]; then
            command=$word
        else
            count=$((count + 1))
        fi
    done

    local offers="" current=${words[${#words[@]}-1]}
    if [[ -z $option && $current == --*=* ]]; then
        option=${current%%=*}
        current=${current#*=}
    fi
    if [[ -n $option ]]; then
        case "$command $option" in
        *' --color') offers=$'auto\nalways\nnever' ;;
        'record -c' | 'record --category') offers=$(tomorrow completion categories 2>/dev/null) ;;
        'record --deliver') offers=$'tomorrow\nmon\ntue\nwed\nthu\nfri\nsat\nsun\n+2d\n+7d' ;;
        'record -f' | 'record --format') offers=$'flac\nwav\nopus\nvorbis\nmp3\nalac' ;;
        'record -r' | 'record --rate') offers=$'16000\n44100\n48000\n96000' ;;
        'record -b' | 'record --bits') offers=$'16\n24' ;;
        'record --channels') offers=$'1\n2' ;;
        'record -D' | 'record --device') offers=$(tomorrow completion recording-devices 2>/dev/null) ;;
        'list -c' | 'list --category') offers=$(tomorrow completion categories 2>/dev/null) ;;
        'play -s' | 'play --speed') offers=$'0.75\n1\n1.25\n1.5\n2' ;;
        'play -D' | 'play --device') offers=$(tomorrow completion playing-devices 2>/dev/null) ;;
        'edit -c' | 'edit --category') offers=$(tomorrow completion categories 2>/dev/null) ;;
        'import -c' | 'import --category') offers=$(tomorrow completion categories 2>/dev/null) ;;
        'import --deliver') offers=$'tomorrow\nmon\ntue\nwed\nthu\nfri\nsat\nsun\n+2d\n+7d' ;;
        'import -f' | 'import --format') offers=$'flac\nwav\nopus\nvorbis\nmp3\nalac' ;;
        'schedule --with') offers=$'cron\nsystemd' ;;
        esac
    elif [[ $current == -* ]]; then
        case $command in
        record) offers=$'-t\n--title\n-c\n--category\n-d\n--for\n--at\n--stop-on-silence\n--deliver\n-f\n--format\n-r\n--rate\n-b\n--bits\n--channels\n-D\n--device\n-y\n--yes\n--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        stop) offers=$'--color\n-h\n--help\n--verbose\n--version' ;;
        list) offers=$'--waiting\n--all\n-c\n--category\n--search\n--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        play) offers=$'-s\n--speed\n--volume\n--pan\n--even\n--loop\n--from\n--to\n--at\n--restart\n-D\n--device\n--color\n-h\n--help\n--verbose\n--version' ;;
        show) offers=$'--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        edit) offers=$'-t\n--title\n-c\n--category\n--add-marker\n--remove-marker\n--color\n-h\n--help\n--verbose\n--version' ;;
        delete) offers=$'-y\n--yes\n--color\n-h\n--help\n--verbose\n--version' ;;
        import) offers=$'-t\n--title\n-c\n--category\n--deliver\n-f\n--format\n--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        export) offers=$'--force\n--color\n-h\n--help\n--verbose\n--version' ;;
        expire) offers=$'--dry-run\n--force\n--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        schedule) offers=$'--with\n--every\n--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        devices) offers=$'--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        status) offers=$'--short\n--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        doctor) offers=$'--fix\n--json\n--color\n-h\n--help\n--verbose\n--version' ;;
        completion) offers=$'--color\n-h\n--help\n--verbose\n--version' ;;
        help) offers=$'--man\n--color\n-h\n--help\n--verbose\n--version' ;;
        *) offers=$'--color\n-h\n--help\n--verbose\n--version' ;;
        esac
    else
        case "$command $count" in
        ' 0') offers=$'record\nstop\nlist\nplay\nshow\nedit\ndelete\nimport\nexport\nexpire\nschedule\ndevices\nstatus\ndoctor\ncompletion\nhelp' ;;
        'play '*) offers=$(tomorrow completion available 2>/dev/null) ;;
        'show '*) offers=$(tomorrow completion available 2>/dev/null) ;;
        'edit '*) offers=$(tomorrow completion memos 2>/dev/null) ;;
        'delete '*) offers=$(tomorrow completion memos 2>/dev/null) ;;
        'import '*) compopt -o default ;;
        'export 0') offers=$(tomorrow completion available 2>/dev/null) ;;
        'export '*) compopt -o default ;;
        'schedule '*) offers=$'install\nremove\nstatus' ;;
        'completion '*) offers=$'bash\nzsh\nfish' ;;
        'help '*) offers=$'record\nstop\nlist\nplay\nshow\nedit\ndelete\nimport\nexport\nexpire\nschedule\ndevices\nstatus\ndoctor\ncompletion\nhelp' ;;
        esac
    fi

    current=${current//[\\\"\']/}
    local before=${current%"${current##*[=:]}"} plain=() titled=()
    while IFS=$'\t' read -r word title; do
        if [[ -z $word || $word != "$current"* ]]; then continue; fi
        printf -v word %q "${word#"$before"}"
        plain+=("$word")
        titled+=("$word${title:+  $title}")
    done <<<"$offers"
    # Titles are for whoever looks; what is put in is the number alone.
    if [[ ${#plain[@]} -gt 1 && $COMP_TYPE != 37 ]]; then
        COMPREPLY=("${titled[@]}")
    else
        COMPREPLY=("${plain[@]}")
    fi
}
complete -o nosort -F _tomorrow tomorrow
