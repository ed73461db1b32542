# The callback to the gateway: the final report of the work, and the work's time limit. Sourced. The token is
# only in files that root can read, never on a command line.
report_url_name=report_url
token_file=/etc/gateway/first-boot/report-token
ca_file=/etc/gateway/first-boot/report-ca.pem
final_report=$status_dir/final-report.json

# The time limit continues across reboots.
start_time_limit() {
    if [ -e "$status_dir/ends_at" ]; then return; fi
    printf '%s\n' $(($(date +%s) + $(values time_limit))) > "$status_dir/ends_at"
}

# time_left MINIMUM: prints the remaining seconds, at least the minimum.
time_left() {
    local left=$(($(cat "$status_dir/ends_at") - $(date +%s)))
    printf '%s\n' $((left > $1 ? left : $1))
}

# is_out_of_time STATUS: whether work that ended with this status was stopped by `timeout` at its time limit.
is_out_of_time() {
    [[ $1 =~ ^(124|137)$ && $(time_left 0) = 0 ]]
}

# A shutdown also ends the work, which is neither success nor failure.
is_shutting_down() {
    [ "$(systemctl is-system-running || true)" = stopping ]
}

# post SECONDS [URL] < BODY: sends the body to the URL of that name in the plan, by default that of reports.
# Prints the status of the response; 000 without a response in that time.
post() {
    local options=(--silent --globoff --max-time "$1")
    if [ -e "$ca_file" ]; then options+=(--cacert "$ca_file"); fi
    curl "${options[@]}" --header 'Content-Type: application/json' --data-binary @- \
        --output /dev/null --write-out '%{http_code}' --url "$(values "${2:-$report_url_name}")" || true
}

# save_final_report COMMAND...: saves the output of the command on the disk as the body of the report, so that
# a restarted machine sends the same report.
save_final_report() {
    (umask 077 && "$@" > "$final_report.new")
    sync --file-system "$status_dir"
    mv "$final_report.new" "$final_report"
    sync --file-system "$status_dir"
}

# send_final_report SECONDS: repeats the final report until the gateway accepts it. Fails with status 2 if the
# gateway rejects it, with 1 if the time runs out. Sets `answer` to the status of the last response.
send_final_report() {
    local deadline=$(($(uptime_seconds) + $1)) delay=5
    while true; do
        answer=$(post 30 < "$final_report")
        printf 'the final report was answered with %s\n' "$answer"
        case $answer in
            2??) return ;;
            403) return 2 ;;
        esac
        if [ "$(uptime_seconds)" -ge "$deadline" ]; then return 1; fi
        sleep "$delay"
        delay=$((delay < 30 ? delay * 2 : 60))
    done
}
