#!/bin/bash
# Sets up the control node of a cluster and reports the result. The next boot completes interrupted work. All
# values come from the plan.
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
. "$library/plugins.sh"
. "$library/node-report.sh"

set_up_control_node() {
    create_agent_token
    set_up_gpus
    add_k3s server
    start_stage k3s
    start_k3s k3s.service 600 api_answers
    deploy_plugins
    await_plugins
    start_stage report
    collect_access
}

# The work is a separate process, so that it can be stopped at its time limit.
if [ "${1:-}" = work ]; then
    set_up_control_node
    exit
fi

# A power failure may have interrupted the removal of secrets after the work.
if [ -e "$completed" ]; then
    remove_report
    exit
fi
start_log
enable_at_boot
if [ ! -e "$final_report" ]; then
    status=0
    await_clock "$(values report_url)" || status=$?
    # By the clock that is right now.
    start_time_limit
    report_stages &
    trap 'kill $! 2> /dev/null || true' EXIT
    if [ "$status" = 0 ]; then
        timeout --kill-after=60 "$(time_left 1)" "$0" work || status=$?
    fi
    # The next boot starts again.
    if is_shutting_down; then exit 1; fi
    save_result "$status"
    wait
fi
deliver_result
