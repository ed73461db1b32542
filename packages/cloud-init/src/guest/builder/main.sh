#!/bin/bash
# Installs one library into its new share, reports the result and powers off. The next boot completes
# interrupted work. All values come from the plan.
set -euo pipefail

# One run at a time. --close: daemons that the work starts must not inherit the lock.
[ -n "${GATEWAY_LOCKED:-}" ] || GATEWAY_LOCKED=1 exec flock --close /run/gateway-first-boot.lock "$0" "$@"

library=/usr/local/lib/gateway
. "$library/report.sh"
. "$library/next-boot.sh"
. "$library/programs.sh"
. "$library/environment.sh"
. "$library/mounts.sh"
. "$library/python.sh"
. "$library/library.sh"
. "$library/callback.sh"
. "$library/build-reports.sh"

# The work is a separate process, so that it can be stopped at its time limit.
if [ "${1:-}" = work ]; then
    build_library
    exit
fi

start_log
start_time_limit
enable_at_boot
if [ ! -e "$final_report" ]; then
    report_progress &
    trap 'kill $! 2> /dev/null || true' EXIT
    status=0
    timeout --kill-after=60 "$(time_left 1)" "$0" work || status=$?
    # The machine is shutting down before the work is complete: the next boot starts again.
    if is_shutting_down; then exit 1; fi
    finish_build "$status"
    wait
fi
send_final_report "$(time_left 120)" || true
systemctl poweroff
