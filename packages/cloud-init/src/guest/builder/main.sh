#!/bin/bash
# Installs one library into its new share, reports what came of it and powers off. A boot that was cut short
# is made good by the next one. Values come from the plan, which this script only reads.
set -euo pipefail

# One run at a time. --close: a daemon started on the way must not inherit the lock.
[ -n "${GATEWAY_LOCKED:-}" ] || GATEWAY_LOCKED=1 exec flock --close /run/gateway-first-boot.lock "$0" "$@"

library=/usr/local/lib/gateway
. "$library/report.sh"
. "$library/next-boot.sh"
. "$library/programs.sh"
. "$library/mounts.sh"
. "$library/python.sh"
. "$library/library.sh"
. "$library/callback.sh"

# The work is a process of its own, so that it can be stopped when its time is over.
if [ "${1:-}" = work ]; then
    build_library
    exit
fi

begin_report
begin_time_limit
keep_for_next_boot
if [ ! -e "$final_report" ]; then
    tell_progress &
    trap 'kill $! 2> /dev/null || true' EXIT
    status=0
    timeout --kill-after=60 "$(time_left 1)" "$0" work || status=$?
    # The machine goes down before its work is done: the next boot begins it anew.
    if [ "$(systemctl is-system-running || true)" = stopping ]; then exit 1; fi
    conclude "$status"
    wait
fi
deliver "$(time_left 120)" || true
systemctl poweroff
