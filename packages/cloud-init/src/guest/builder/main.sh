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
. "$library/reported-work.sh"

work_name=build
work_done='the library is built'

work() {
    build_library
}

result_members() {
    printf '"manifest":%s' "$(cat "$manifest")"
}

end_failed_work() {
    release_share
}

run_reported_work "$@"
