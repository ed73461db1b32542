# The report of a control node to the gateway. Sourced.
access_file=$status_dir/access.json
failure=$status_dir/failure
server_dir=/var/lib/rancher/k3s/server
k3s_config=/etc/rancher/k3s
agent_token=$k3s_config/agent-token

# Generated on the node, so that it stays secret until the report.
create_agent_token() {
    if [ -s "$agent_token" ]; then return; fi
    mkdir -p "$k3s_config"
    (umask 077 && head --bytes 32 /dev/urandom | od --address-radix n --format x1 | tr -d ' \n' > "$agent_token.new")
    sync --file-system "$k3s_config"
    mv "$agent_token.new" "$agent_token"
}

api_answers() {
    timeout 30 k3s kubectl get --raw /readyz < /dev/null > /dev/null 2>&1
}

# Collects the credentials of the cluster, as JSON members, in a file that only root can read.
collect_access() {
    local config token version
    retry 60 test -s "$server_dir/token"
    config=$(client_config)
    token=$(agent_join_token)
    version=$(k3s --version | awk 'NR == 1 { print $3 }')
    (
        umask 077
        printf '"kubeconfig":"%s","node_token":"%s","k3s_version":"%s"\n' "$(printf %s "$config" | json_text)" \
            "$(printf %s "$token" | json_text)" "$(printf %s "$version" | json_text)" > "$access_file"
    )
}

# k3s's configuration file contains the loopback address of the API server.
client_config() {
    local server config
    server="server: https://$(values api_host)"
    config=$(sed "s#^\( *\)server: https://.*\(:[0-9]*\)\$#\1$server\2#" "$k3s_config/k3s.yaml")
    if [[ $config != *"$server":* ]]; then
        printf 'the configuration file of k3s names no API server\n' >&2
        return 1
    fi
    printf '%s\n' "$config"
}

# In the form K10<hash of the certificate authority>::node:<token>, with which an agent verifies the server.
# The hash comes from k3s's own token, which would also admit servers.
agent_join_token() {
    local token
    token=$(cat "$server_dir/token")
    if [[ $token != K10*::* ]]; then
        printf 'the token of k3s has no hash of the certificate authority\n' >&2
        return 1
    fi
    printf '%s::node:%s' "${token%%::*}" "$(cat "$agent_token")"
}

# Reports each new stage once, until there is a final report. Runs concurrently with the work. The gateway
# limits the rate of reports; one that is lost is not repeated.
report_stages() {
    local current reported='' reported_at=-10
    while sleep 1 && [ ! -e "$final_report" ]; do
        current=$(cat "$boot_dir/stage")
        if [ "$current" = "$reported" ] || [ $(($(uptime_seconds) - reported_at)) -lt 10 ]; then continue; fi
        reported=$current reported_at=$(uptime_seconds)
        # The token is no longer valid.
        if [ "$(progress_body "$current" | post 10 progress_url)" = 403 ]; then return; fi
    done
}

# progress_body STAGE: the stages of plugins are two words.
progress_body() {
    local stage plugin
    read -r stage plugin <<< "$1"
    printf '{"token":"%s","stage":"%s"%s}\n' \
        "$(json_text < "$token_file")" "$stage" "${plugin:+,\"plugin\":\"$plugin\"}"
}

# save_result STATUS: saves the final report of work that ended with this status.
save_result() {
    local stage
    rm -f "$failure"
    if [ "$1" = 0 ]; then
        save_final_report success_body
        return
    fi
    stage=$(cat "$boot_dir/stage")
    # All other failures have already logged their reason.
    if is_out_of_time "$1"; then
        printf 'the control node was not set up within %s s\n' "$(values time_limit)"
    fi
    printf '%s\n%s\n' "$stage" "$(last_log_line)" > "$failure"
    save_final_report failure_body
}

success_body() {
    printf '{"token":"%s","success":true,%s,"server_ip":"%s","plugin_status":{%s},"plugin_pods":{%s},"error":null}\n' \
        "$(json_text < "$token_file")" "$(cat "$access_file")" "$(values address)" "$(plugin_status)" "$(plugin_pods)"
}

failure_body() {
    local stage reason
    { read -r stage && read -r reason; } < "$failure"
    printf '{"token":"%s","success":false,"server_ip":"%s","plugin_status":{%s},"error":"%s"}\n' \
        "$(json_text < "$token_file")" "$(values address)" "$(plugin_status)" \
        "$(printf 'stage %s: %s' "$stage" "${reason:-the log has no message}" | json_text)"
}

# Sends the final report until the gateway has accepted or rejected it.
deliver_result() {
    local outcome=0
    if [ -e "$failure" ]; then report_failure; else start_stage callback; fi
    send_final_report 86400 || outcome=$?
    if [ "$outcome" = 2 ]; then printf 'the gateway refused the report\n'; fi
    if [ ! -e "$failure" ]; then report_result "$outcome" ', the control node is set up'; fi
    # The next boot sends the report again.
    if [ "$outcome" = 1 ]; then return 1; fi
    mark_completed
    remove_report
    [ ! -e "$failure" ] && [ "$outcome" = 0 ]
}

# Runs also at later boots.
report_failure() {
    local last
    { read -r stage && read -r last; } < "$failure"
    printf '%s\n' "$last"
    report_result 1 ''
}

# The token is no longer needed, and the report contains the keys of the cluster's administrator.
remove_report() {
    rm -f "$token_file" "$final_report" "$access_file"
    sync --file-system "$status_dir"
}
