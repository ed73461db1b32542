# What came of it: the log, the status file, one line on the console. Sourced; knows no secret.
plan=/etc/gateway/first-boot/plan
log=/var/log/gateway-first-boot.log
status_dir=/var/lib/gateway/first-boot

# values NAME: the plan's values of that name, one per line.
values() {
    local name value
    while read -r name value; do
        if [ "$name" = "$1" ]; then printf '%s\n' "$value"; fi
    done < "$plan"
}

has() {
    [ -n "$(values "$1")" ]
}

# retry SECONDS COMMAND...: until it succeeds; fails when it has not after that time.
retry() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
        sleep 5
    done
}

now() {
    date --utc +%Y-%m-%dT%H:%M:%SZ
}

begin_report() {
    # Exported for the part of the work that is a process of its own, too.
    started_at=$(now)
    export started_at
    mkdir -p "$status_dir"
    exec 3>&1 >> "$log" 2>&1
    enter start
}

enter() {
    stage=$1
    printf '%s stage %s\n' "$(now)" "$stage"
    printf '%s\n' "$stage" > "$status_dir/stage.new"
    mv "$status_dir/stage.new" "$status_dir/stage"
    write_status running ''
}

# write_status RESULT REASON
write_status() {
    printf '{"result":"%s","stage":"%s","reason":"%s","strategy":"%s","started_at":"%s","updated_at":"%s"}\n' \
        "$1" "$stage" "$(printf %s "$2" | json_text)" "$(values strategy | json_text)" "$started_at" "$(now)" \
        > "$status_dir/status.json.new"
    mv "$status_dir/status.json.new" "$status_dir/status.json"
}

# json_text < TEXT: the text as it stands between the quotes of JSON. What is not ASCII is left out.
json_text() {
    LC_ALL=C tr -dc '\t\n -~' | sed -z 's/\n$//; s/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/\n/\\n/g'
}

# json_line < LINE: the same for a value of the plan. That is UTF-8 without control characters, and all of it counts.
json_line() {
    LC_ALL=C sed 's/\\/\\\\/g; s/"/\\"/g'
}

# log_tail BYTES: the end of the log. Of a line that was written over and over, as those of progress, the last state.
log_tail() {
    tail --bytes 20000 "$log" | LC_ALL=C sed 's/.*\r\(.\)/\1/' | tail --bytes "$1"
}

# last_words: the last line in the log since the stage began, which is mostly what failed.
last_words() {
    log_tail 10000 | LC_ALL=C tr -dc '\n -~' |
        awk '/^[-0-9T:]+Z stage / { line = ""; next } NF { line = $0 } END { print substr(line, 1, 300) }'
}

# end_report STATUS READY: tells what the work ended with; READY is the sentence for 0.
end_report() {
    local line
    if [ "$1" = 0 ]; then
        stage=done
        reason=
        line="gateway first boot: ready$2"
        write_status ready ''
    else
        reason=$(last_words)
        line="gateway first boot: FAILED at stage $stage: ${reason:-no word of why}, see $log"
        write_status failed "$reason"
    fi
    printf '%s\n' "$line"
    printf '%s\n' "$line" >&3 || true
    { printf '%s\n' "$line" > /dev/console; } 2> /dev/null || true
}
