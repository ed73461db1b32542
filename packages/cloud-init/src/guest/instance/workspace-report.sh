#!/bin/bash
# Reports each stage and the result of the first-boot work to the gateway. Runs beside the work, so that a
# gateway that does not answer delays nothing, and ends when the gateway has accepted or refused the result.
# Its output is in the journal: the log has that of the work.
set -euo pipefail

library=/usr/local/lib/gateway
. "$library/report.sh"
. "$library/programs.sh"
. "$library/environment.sh"
. "$library/callback.sh"
. "$library/report-identity.sh"

# report_body STATUS: prints the body of a report: the status file with the token, the boot, and the time
# since the boot, which only grows.
report_body() {
    local boot uptime
    read -r boot < /proc/sys/kernel/random/boot_id
    read -r uptime _ < /proc/uptime
    printf '{"token":"%s","boot":"%s","sequence":%d,%s\n' \
        "$token" "$boot" "$((10#${uptime/./}))" "${1#\{}"
}

# Ends when a result is delivered and no other work has begun.
report_work() {
    local status reported=
    while true; do
        status=$(cat "$boot_dir/status.json")
        case $status in
            "$reported") sleep 1 ;;
            '{"result":"running"'*)
                if [ "$(report_body "$status" | post 10)" = 403 ]; then end_refused; fi
                reported=$status
                ;;
            *)
                # A shutdown ends the work, which is not its result.
                if is_shutting_down; then exit; fi
                save_final_report report_body "$status"
                deliver_final_report 86400
                if [ "$status" = "$(cat "$boot_dir/status.json")" ]; then return; fi
                ;;
        esac
    done
}

require_command curl curl curl || exit 0
load_identity
if [ -e "$final_report" ]; then deliver_final_report 86400; fi
report_work
