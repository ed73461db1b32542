#!/bin/bash
# Lets an agent join its cluster. The next boot completes interrupted work. All values come from the plan.
set -euo pipefail

# One run at a time. --close: daemons that the work starts must not inherit the lock.
[ -n "${GATEWAY_LOCKED:-}" ] || GATEWAY_LOCKED=1 exec flock --close /run/gateway-first-boot.lock "$0" "$@"

library=/usr/local/lib/gateway
. "$library/report.sh"
. "$library/next-boot.sh"
. "$library/programs.sh"
. "$library/environment.sh"
. "$library/callback.sh"
. "$library/clock.sh"
. "$library/gpu.sh"
. "$library/node-gpu.sh"
. "$library/k3s.sh"

join_cluster() {
    set_up_gpus
    add_k3s agent
    start_stage join
    # The service is active once the agent has joined. It retries until the server responds.
    start_k3s k3s-agent.service 900 systemctl is-active --quiet k3s-agent.service
    mark_completed
}

# The failure is final once the gateway has accepted it: the job that waits for this agent removes it.
report_failure() {
    require_command curl curl curl
    save_final_report failure_body
    send_final_report 900
}

failure_body() {
    printf '{"token":"%s","server_id":"%s","error":"%s"}\n' "$(json_text < "$token_file")" \
        "$(json_text < "$instance_id")" "$(printf 'stage %s: %s' "$stage" "${reason:-the log has no message}" | json_text)"
}

# The work is a separate process, which ends at its first failure.
if [ "${1:-}" = work ]; then
    join_cluster
    exit
fi
if [ -e "$completed" ]; then exit; fi
# A failure of an earlier boot. If no job waits for this agent any more, it tries again.
if [ -e "$final_report" ]; then
    if send_final_report 900; then exit; fi
    rm -f "$final_report"
fi
start_log
enable_at_boot
status=0
await_clock "$(values server_url)" || status=$?
if [ "$status" = 0 ]; then "$0" work || status=$?; fi
# The next boot starts again.
if [ "$status" != 0 ] && is_shutting_down; then exit 1; fi
stage=$(cat "$boot_dir/stage")
report_result "$status" ', the agent has joined the cluster'
if [ "$status" != 0 ] && has_value report_url; then report_failure; fi
exit "$status"
