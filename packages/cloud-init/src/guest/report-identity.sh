# The token of reports that a machine sends for years, and which each accepted final report replaces. Sourced
# after callback.sh.

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

# deliver_final_report SECONDS: sends the saved report, which may be that of an earlier run, and which the
# gateway may have accepted then. Ends the script unless it is accepted.
deliver_final_report() {
    local outcome=0
    send_final_report "$1" || outcome=$?
    case $outcome in
        0) replace_token ;;
        2)
            rm -f "$final_report"
            end_refused
            ;;
        *)
            # The gateway has not accepted this report and never will. Any other one is sent again by the next
            # run.
            case $answer in 400 | 409) rm -f "$final_report" ;; esac
            exit
            ;;
    esac
}

end_refused() {
    printf 'the gateway refused the report\n'
    exit
}
