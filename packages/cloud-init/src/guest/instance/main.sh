#!/bin/bash
# Builds the layered file system at /workspace: at the first boot, and at every boot after it, since each
# stage finds out by itself what is left to do. Values come from the plan, which this script only reads.
set -euo pipefail

# One run at a time. --close: a daemon started on the way must not inherit the lock.
[ -n "${GATEWAY_LOCKED:-}" ] || GATEWAY_LOCKED=1 exec flock --close /run/gateway-first-boot.lock "$0" "$@"

library=/usr/local/lib/gateway
. "$library/report.sh"
. "$library/next-boot.sh"
. "$library/programs.sh"
. "$library/mounts.sh"
. "$library/python.sh"
. "$library/layers.sh"
. "$library/upper-disk.sh"
. "$library/gpu.sh"

begin_report
ready=
trap 'end_report $? "$ready"' EXIT

keep_for_next_boot

if has layer_unit; then
    enter tools
    need_mount_programs
    enter libraries
    install_libraries
    enter layers
    mount_layers
    enter upper_disk
    find_upper_disk
    format_if_blank
    mount_upper_disk
    enter workspace
    mount_workspace
    link_jupyter
    ready=', /workspace is mounted'
fi
# Last: without its driver the machine is still of use.
if has gpu_package; then
    enter gpu
    install_gpu_driver
fi
