#!/bin/bash
# Sets up the layered file system at /workspace. Runs at each boot, and each stage does only the remaining
# work. All values come from the plan.
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
. "$library/layers.sh"
. "$library/upper-disk.sh"
. "$library/workspace.sh"
. "$library/gpu.sh"

ready=
trap 'report_result $? "$ready"' EXIT

start_log
enable_at_boot
# Runs beside the work.
if has_value report_url; then systemctl start --no-block gateway-workspace-report.service || true; fi

if has_value layer_unit; then
    set_up_workspace
    ready=', /workspace is mounted'
fi
# Last, because the machine is usable without the driver.
if has_value gpu_package; then
    start_stage gpu
    install_gpu_driver
fi
