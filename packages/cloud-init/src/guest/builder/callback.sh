# What the gateway is told of a build. Sourced. The token is in files that root alone reads, never on a command line.
token_file=/etc/gateway/first-boot/report-token
ca_file=/etc/gateway/first-boot/report-ca.pem
final_report=$status_dir/final-report.json

# It goes on through a reboot.
begin_time_limit() {
    if [ -e "$status_dir/ends_at" ]; then return; fi
    printf '%s\n' $(($(date +%s) + $(values time_limit))) > "$status_dir/ends_at"
}

# time_left LEAST: seconds.
time_left() {
    local left=$(($(cat "$status_dir/ends_at") - $(date +%s)))
    printf '%s\n' $((left > $1 ? left : $1))
}

# report MEMBERS: the body of a report, with these members of JSON in it.
report() {
    printf '{"token":"%s",%s,"log_tail":"%s"}\n' \
        "$(json_text < "$token_file")" "$1" "$(log_tail 4000 | json_text)"
}

# post SECONDS < BODY: the status of the answer; 000 when there was none in that time.
post() {
    local options=(--silent --globoff --max-time "$1")
    if [ -e "$ca_file" ]; then options+=(--cacert "$ca_file"); fi
    curl "${options[@]}" --header 'Content-Type: application/json' --data-binary @- \
        --output /dev/null --write-out '%{http_code}' --url "$(values report_url)" || true
}

# At each new stage, and every 30 s, until there is a final report; runs beside the work.
tell_progress() {
    local current told='' told_at=0
    while sleep 1 && [ ! -e "$final_report" ]; do
        current=$(cat "$status_dir/stage")
        if [ "$current" = "$told" ] && [ $((SECONDS - told_at)) -lt 30 ]; then continue; fi
        told=$current told_at=$SECONDS
        # Nobody waits for reports with this token any more.
        if [ "$(report "\"stage\":\"$current\"" | post 10)" = 403 ]; then return; fi
    done
}

# conclude STATUS: makes the final report of work that ended with it.
conclude() {
    stage=$(cat "$status_dir/stage")
    # What `timeout` answers with: what failed by itself has said why.
    if [[ $1 =~ ^(124|137)$ && $(time_left 0) = 0 ]]; then
        printf 'the time limit of %s s is over\n' "$(values time_limit)"
    fi
    end_report "$1" ', the library is built'
    if [ "$1" = 0 ]; then
        keep_final_report "\"success\":true,\"stage\":\"done\",\"manifest\":$(cat "$manifest")"
    else
        timeout 120 systemctl stop "$share_unit" || true
        keep_final_report "\"success\":false,\"stage\":\"$stage\",\"error\":\"$(printf %s "$reason" | json_text)\""
    fi
}

# On the disk, so that a machine that is started again tells the same.
keep_final_report() {
    (umask 077 && report "$1" > "$final_report.new")
    mv "$final_report.new" "$final_report"
    sync --file-system "$status_dir"
}

# deliver SECONDS: until the gateway has taken the final report, or refused it.
deliver() {
    local deadline=$((SECONDS + $1)) answer
    while true; do
        answer=$(post 30 < "$final_report")
        printf 'the final report was answered with %s\n' "$answer"
        case $answer in
            2??) return ;;
            403) return 1 ;;
        esac
        if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
        sleep 15
    done
}
