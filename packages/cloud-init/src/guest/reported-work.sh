# Work that a machine does once: it reports the result to the gateway and powers off. Sourced. The main script
# sets `work_name` and `work_done` for messages, and defines
# - work: the work, in stages;
# - result_members: prints the JSON members of the report of a success;
# - end_failed_work: called after a failure.

# run_reported_work ARGUMENT...: the work is a separate process, so that it can be stopped at its time limit.
run_reported_work() {
    local status=0
    if [ "${1:-}" = work ]; then
        work
        exit
    fi
    start_log
    start_time_limit
    enable_at_boot
    if [ ! -e "$final_report" ]; then
        report_progress &
        trap 'kill $! 2> /dev/null || true' EXIT
        timeout --kill-after=60 "$(time_left 1)" "$0" work || status=$?
        # The machine is shutting down before the work is complete: the next boot starts again.
        if is_shutting_down; then exit 1; fi
        finish_work "$status"
        wait
    fi
    send_final_report "$(time_left 120)" || true
    systemctl poweroff
}

# report_body MEMBERS: prints the body of a report with these JSON members.
report_body() {
    printf '{"token":"%s",%s,"log_tail":"%s"}\n' \
        "$(json_text < "$token_file")" "$1" "$(log_tail 4000 | json_text)"
}

# Reports each new stage, and every 30 s, until there is a final report. Runs concurrently with the work.
report_progress() {
    local current reported='' reported_at=0
    while sleep 1 && [ ! -e "$final_report" ]; do
        current=$(cat "$boot_dir/stage")
        if [ "$current" = "$reported" ] && [ $(($(uptime_seconds) - reported_at)) -lt 30 ]; then continue; fi
        reported=$current reported_at=$(uptime_seconds)
        # The token is no longer valid.
        if [ "$(report_body "\"stage\":\"$current\"" | post 10)" = 403 ]; then return; fi
    done
}

# finish_work STATUS: reports the result of work that ended with this status.
finish_work() {
    stage=$(cat "$boot_dir/stage")
    # All other failures have already logged their reason.
    if is_out_of_time "$1"; then
        printf 'the %s exceeded the time limit of %s s\n' "$work_name" "$(values time_limit)"
    fi
    report_result "$1" ", $work_done"
    if [ "$1" = 0 ]; then
        save_final_report report_body "\"success\":true,\"stage\":\"done\",$(result_members)"
    else
        end_failed_work || true
        save_final_report report_body \
            "\"success\":false,\"stage\":\"$stage\",\"error\":\"$(printf %s "$reason" | json_text)\""
    fi
}
