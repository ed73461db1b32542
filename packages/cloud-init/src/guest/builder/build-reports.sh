# The reports of a build to the gateway. Sourced.

# report_body MEMBERS: prints the body of a report with these JSON members.
report_body() {
    printf '{"token":"%s",%s,"log_tail":"%s"}\n' \
        "$(json_text < "$token_file")" "$1" "$(log_tail 4000 | json_text)"
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
    # All other failures have already logged their reason.
    if is_out_of_time "$1"; then
        printf 'the build exceeded the time limit of %s s\n' "$(values time_limit)"
    fi
    report_result "$1" ', the library is built'
    if [ "$1" = 0 ]; then
        save_final_report report_body "\"success\":true,\"stage\":\"done\",\"manifest\":$(cat "$manifest")"
    else
        release_share || true
        save_final_report report_body \
            "\"success\":false,\"stage\":\"$stage\",\"error\":\"$(printf %s "$reason" | json_text)\""
    fi
}
