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
. "$library/gpu.sh"
. "$library/node-gpu.sh"
. "$library/k3s.sh"

if [ -e "$completed" ]; then exit; fi
start_log
trap 'report_result $? ", the agent has joined the cluster"' EXIT

enable_at_boot
set_up_gpus
add_k3s agent
start_stage join
# The service is active once the agent has joined. It retries until the server responds.
start_k3s k3s-agent.service 900 systemctl is-active --quiet k3s-agent.service
mark_completed
