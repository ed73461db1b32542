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

# retry SECONDS COMMAND...: until it succeeds; fails when it has not after that time.
retry() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
        sleep 5
    done
}

begin_report() {
    started_at=$(date --utc +%Y-%m-%dT%H:%M:%SZ)
    mkdir -p "$status_dir"
    exec 3>&1 >> "$log" 2>&1
    enter start
}

enter() {
    stage=$1
    printf '%s stage %s\n' "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" "$stage"
    write_status running
}

# Every word of it is the script's own: nothing here needs quoting.
write_status() {
    printf '{"result":"%s","stage":"%s","strategy":"%s","started_at":"%s","updated_at":"%s"}\n' \
        "$1" "$stage" "$(values strategy)" "$started_at" "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" \
        > "$status_dir/status.json.new"
    mv "$status_dir/status.json.new" "$status_dir/status.json"
}

end_report() {
    local line
    if [ "$1" = 0 ]; then
        stage=done
        write_status ready
        line='gateway first boot: ready, /workspace is mounted'
    else
        write_status failed
        line="gateway first boot: FAILED at stage $stage, see $log"
    fi
    printf '%s\n' "$line"
    printf '%s\n' "$line" >&3 || true
    { printf '%s\n' "$line" > /dev/console; } 2> /dev/null || true
}
