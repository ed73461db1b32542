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

# A line each: the SHA-256 of the token in the first-boot data, the machine, and the current token.
identity=$status_dir/report-identity

# The product UUID differs on a machine that was created from a snapshot of this one. So does cloud-init's id
# of the machine, where the firmware has no UUID.
machine_id() {
    cat /sys/class/dmi/id/product_uuid 2> /dev/null || cat /var/lib/cloud/data/instance-id
}

# load_identity: ends the script on a machine that has the token of another one. New first-boot data brings a
# new token, and what is left of the old one is another machine's.
load_identity() {
    local known=()
    origin=$(sha256sum < "$token_file")
    machine=$(machine_id)
    if [ -e "$identity" ]; then mapfile -t known < "$identity"; fi
    if [ "${known[0]:-}" != "$origin" ]; then
        rm -f "$final_report"
        save_identity "$(cat "$token_file")"
    elif [ "${known[1]}" = "$machine" ]; then
        token=${known[2]}
    else
        printf 'the token belongs to another machine: nothing is reported\n'
        exit
    fi
}

# save_identity TOKEN
save_identity() {
    token=$1
    (umask 077 && printf '%s\n' "$origin" "$machine" "$token" > "$identity.new")
    sync --file-system "$status_dir"
    mv "$identity.new" "$identity"
    sync --file-system "$status_dir"
}

# Both sides derive the next token when the gateway has accepted a final report. Derived already if the power
# failed before the report was removed.
replace_token() {
    if [[ $(cat "$final_report") == *"\"$token\""* ]]; then
        save_identity "${token%.*}.$(next_secret "${token##*.}")"
    fi
    rm -f "$final_report"
}

next_secret() {
    printf '%s gateway first boot: next secret' "$1" | sha256sum | cut -d ' ' -f 1
}

# report_body STATUS: prints the body of a report: the status file with the token, the boot, and the time
# since the boot, which only grows.
report_body() {
    local boot uptime
    read -r boot < /proc/sys/kernel/random/boot_id
    read -r uptime _ < /proc/uptime
    printf '{"token":"%s","boot":"%s","sequence":%d,%s\n' \
        "$token" "$boot" "$((10#${uptime/./}))" "${1#\{}"
}

# Sends the saved final report, which may be that of an earlier boot. The gateway may have accepted it.
deliver_final_report() {
    local outcome=0
    send_final_report 86400 || outcome=$?
    case $outcome in
        0) replace_token ;;
        2)
            rm -f "$final_report"
            end_refused
            ;;
        # The next boot sends it again.
        *) exit ;;
    esac
}

end_refused() {
    printf 'the gateway refused the report\n'
    exit
}

# Ends when a result is delivered and no other work has begun.
report_work() {
    local status reported=
    while true; do
        status=$(cat "$status_dir/status.json")
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
                deliver_final_report
                if [ "$status" = "$(cat "$status_dir/status.json")" ]; then return; fi
                ;;
        esac
    done
}

require_command curl curl curl || exit 0
load_identity
if [ -e "$final_report" ]; then deliver_final_report; fi
report_work
