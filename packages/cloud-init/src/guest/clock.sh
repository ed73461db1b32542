# Waits for the right time before k3s makes certificates, which are not valid before. Sourced.
# In seconds: so late, a certificate is valid before anybody needs it.
clock_tolerance=150

# await_clock URL: waits up to two minutes until a time server has set the clock, unless it is close to that
# of the server of the URL. Fails if it stays wrong. A clock that nothing can be compared with may be right.
await_clock() {
    local difference='' tries
    start_stage clock
    # Counted, because the clock of the shell jumps, too.
    for tries in {1..24}; do
        if is_clock_set; then break; fi
        difference=$(clock_difference "$1")
        if is_close "$difference"; then break; fi
        sleep 5
    done
    if is_clock_set || is_close "$difference"; then return; fi
    if [ -z "$difference" ]; then
        printf 'no time server has set the clock\n'
        return
    fi
    printf 'the clock is %s s %s, and no time server has set it (%s)\n' "${difference#-}" \
        "$(case $difference in -*) echo fast ;; *) echo slow ;; esac)" "$(time_servers)"
    return 1
}

is_clock_set() {
    [ "$(timedatectl show --property NTPSynchronized --value 2> /dev/null)" = yes ]
}

is_close() {
    [ -n "$1" ] && [ "${1#-}" -le "$clock_tolerance" ]
}

# clock_difference URL: prints how many seconds the clock of the server of the URL is ahead; nothing without
# an answer. A wrong clock finds no certificate valid. Whoever forges the answer can only delay this machine.
clock_difference() {
    local date
    date=$(curl --silent --head --insecure --globoff --max-time 5 --url "$1" |
        sed --quiet 's/\r$//; s/^[Dd]ate: //p') || return 0
    date=$(date --date "${date:-unknown}" +%s 2> /dev/null) || return 0
    printf '%s\n' $((date - $(date +%s)))
}

time_servers() {
    local servers
    servers=$(values time_server | paste --serial --delimiters ' ')
    printf '%s\n' "${servers:-none is configured}"
}
