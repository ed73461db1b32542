# The reports of a build to the gateway. Sourced. The token is only in files that root can read, never on a command line.
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

# report_body MEMBERS: prints the body of a report with these JSON members.
report_body() {
    printf '{"token":"%s",%s,"log_tail":"%s"}\n' \
        "$(json_text < "$token_file")" "$1" "$(log_tail 4000 | json_text)"
}

# post SECONDS < BODY: prints the status of the response; 000 without a response in that time.
post() {
    local options=(--silent --globoff --max-time "$1")
    if [ -e "$ca_file" ]; then options+=(--cacert "$ca_file"); fi
    curl "${options[@]}" --header 'Content-Type: application/json' --data-binary @- \
        --output /dev/null --write-out '%{http_code}' --url "$(values report_url)" || true
}

# Reports each new stage, and every 30 s, until there is a final report. Runs concurrently with the work.
report_progress() {
    local current reported='' reported_at=0
    while sleep 1 && [ ! -e "$final_report" ]; do
        current=$(cat "$status_dir/stage")
        if [ "$current" = "$reported" ] && [ $((SECONDS - reported_at)) -lt 30 ]; then continue; fi
        reported=$current reported_at=$SECONDS
        # The token is no longer valid.
        if [ "$(report_body "\"stage\":\"$current\"" | post 10)" = 403 ]; then return; fi
    done
}

# finish_build STATUS: reports the result of work that ended with this status.
finish_build() {
    stage=$(cat "$status_dir/stage")
    # The statuses of `timeout`. All other failures have logged their reason.
    if [[ $1 =~ ^(124|137)$ && $(time_left 0) = 0 ]]; then
        printf 'the build exceeded the time limit of %s s\n' "$(values time_limit)"
    fi
    report_result "$1" ', the library is built'
    if [ "$1" = 0 ]; then
        save_final_report "\"success\":true,\"stage\":\"done\",\"manifest\":$(cat "$manifest")"
    else
        timeout 120 systemctl stop "$share_unit" || true
        save_final_report "\"success\":false,\"stage\":\"$stage\",\"error\":\"$(printf %s "$reason" | json_text)\""
    fi
}

# On the disk, so that a restarted machine sends the same report.
save_final_report() {
    (umask 077 && report_body "$1" > "$final_report.new")
    mv "$final_report.new" "$final_report"
    sync --file-system "$status_dir"
}

# send_final_report SECONDS: repeats the final report until the gateway accepts or refuses it.
send_final_report() {
    local deadline=$((SECONDS + $1)) status
    while true; do
        status=$(post 30 < "$final_report")
        printf 'the final report was answered with %s\n' "$status"
        case $status in
            2??) return ;;
            403) return 1 ;;
        esac
        if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
        sleep 15
    done
}
