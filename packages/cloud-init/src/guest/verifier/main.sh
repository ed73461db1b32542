#!/bin/bash
# Sets up /workspace with one library as an instance does, imports the library's packages, reports the result
# and powers off. The next boot completes interrupted work. All values come from the plan.
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
. "$library/imports.sh"
. "$library/callback.sh"
. "$library/reported-work.sh"

work_name=verification
work_done='the library is verified'

work() {
    start_stage tools
    require_command curl curl curl
    set_up_workspace
    start_stage imports
    import_packages
}

result_members() {
    printf '"packages":%s' "$(cat "$packages")"
}

end_failed_work() {
    true
}

run_reported_work "$@"
