# The log, the status file and the console line of the work. Sourced. None of them contains secrets.
plan=/etc/gateway/first-boot/plan
log=${GATEWAY_LOG:-/var/log/gateway-first-boot.log}
status_dir=/var/lib/gateway/first-boot
# What each boot writes is in memory: a full or read-only disk must not stop a boot that has no work left.
boot_dir=/run/gateway/first-boot
stage=start

# values NAME: prints the plan's values of that name, one per line.
values() {
    local name value
    while read -r name value; do
        if [ "$name" = "$1" ]; then printf '%s\n' "$value"; fi
    done < "$plan"
}

has_value() {
    [ -n "$(values "$1")" ]
}

# uptime_seconds: prints the time since the boot. A time server may set the clock meanwhile, which SECONDS of
# the shell follows.
uptime_seconds() {
    local up
    read -r up _ < /proc/uptime
    printf '%s\n' "${up%.*}"
}

# retry SECONDS COMMAND...: repeats the command until it succeeds; fails if it still fails after that time.
retry() {
    local deadline=$(($(uptime_seconds) + $1))
    shift
    until "$@"; do
        if [ "$(uptime_seconds)" -ge "$deadline" ]; then return 1; fi
        sleep 5
    done
}

now() {
    date --utc +%Y-%m-%dT%H:%M:%SZ
}

start_log() {
    # Exported for the part of the work that runs as a separate process.
    started_at=$(now)
    export started_at GATEWAY_LOG
    mkdir -p "$boot_dir"
    if ! has_room_for_log; then log=$boot_dir/log; fi
    GATEWAY_LOG=$log
    exec 3>&1 >> "$log" 2>&1
    mkdir -p "$status_dir"
    start_stage start
}

# has_room_for_log: whether the disk accepts as much as the log of a boot.
has_room_for_log() {
    local status=0
    { head --bytes 65536 /dev/zero > "$log.new" && : >> "$log"; } 2> /dev/null || status=1
    rm -f "$log.new" 2> /dev/null || true
    return "$status"
}

start_stage() {
    stage=$1
    printf '%s stage %s\n' "$(now)" "$stage"
    printf '%s\n' "$stage" > "$boot_dir/stage.new"
    mv "$boot_dir/stage.new" "$boot_dir/stage"
    write_status running ''
}

# write_status RESULT REASON
write_status() {
    printf '{"result":"%s","stage":"%s","reason":"%s","strategy":"%s","started_at":"%s","updated_at":"%s"}\n' \
        "$1" "$stage" "$(printf %s "$2" | json_text)" "$(values strategy | json_text)" "$started_at" "$(now)" \
        > "$boot_dir/status.json.new"
    mv "$boot_dir/status.json.new" "$boot_dir/status.json"
    { copy_status || rm -f "$status_dir/status.json" "$status_dir/status.json.new"; } 2> /dev/null || true
}

# For people, also when the machine is off. No copy is better than an outdated one.
copy_status() {
    cp "$boot_dir/status.json" "$status_dir/status.json.new" &&
        mv "$status_dir/status.json.new" "$status_dir/status.json"
}

# json_text < TEXT: escapes a text for JSON, without the quotes. Drops characters that are not ASCII.
json_text() {
    LC_ALL=C tr -dc '\t\n -~' | sed -z 's/\n$//; s/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/\n/\\n/g'
}

# json_line < LINE: escapes a value of the plan for JSON. The value is UTF-8 without control
# characters; nothing is dropped.
json_line() {
    LC_ALL=C sed 's/\\/\\\\/g; s/"/\\"/g'
}

# log_tail BYTES: prints the end of the log. Keeps only the last state of a line that was overwritten,
# such as a progress bar.
log_tail() {
    tail --bytes 20000 "$log" | LC_ALL=C sed 's/.*\r\(.\)/\1/' | tail --bytes "$1"
}

# last_log_line: prints the last log line of the current stage, which usually describes the failure.
last_log_line() {
    log_tail 10000 | LC_ALL=C tr -dc '\n -~' |
        awk '/^[-0-9T:]+Z stage / { line = ""; next } NF { line = $0 } END { print substr(line, 1, 300) }'
}

# report_result STATUS DETAIL: writes the result of the work to log, console and status file.
# Appends DETAIL to a success.
report_result() {
    local line
    if [ "$1" = 0 ]; then
        stage=done
        reason=
        line="gateway first boot: ready$2"
        write_status ready '' || true
    else
        reason=$(last_log_line) || true
        line="gateway first boot: FAILED at stage $stage: ${reason:-the log has no message}, see $log"
        write_status failed "$reason" || true
    fi
    printf '%s\n' "$line" || true
    printf '%s\n' "$line" >&3 || true
    { printf '%s\n' "$line" > /dev/console; } 2> /dev/null || true
}
