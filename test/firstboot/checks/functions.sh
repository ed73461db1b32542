#!/bin/bash
# The functions of all checks. Precedes each of them.

layers=/var/lib/gateway/layers
upper=/var/lib/gateway/upper
log=/var/log/gateway-first-boot.log

# check KEY COMMAND...: prints a line with the result of the command and, if it fails, the end of its output.
check() {
    local key=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "ok $key"
    else
        echo "FAIL $key: $(tail --lines=4 <<< "$output" | tr '\n' ' ')"
    fi
}

# Commands for check.
refused() { ! "$@"; }
equal() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }; }
contains() { grep --fixed-strings --quiet -e "$2" "$1" || { echo "'$2' is not in $1:"; tail --lines=3 "$1"; return 1; }; }
as_user() { runuser --login debian --command "$1"; }

# wait_for SECONDS COMMAND...: repeats the command until it succeeds. After a restart, cloud-init ends
# before the mounts exist.
wait_for() {
    local ends=$((SECONDS + $1))
    shift
    until "$@" > /dev/null 2>&1; do
        if [ "$SECONDS" -ge "$ends" ]; then return 1; fi
        sleep 1
    done
}

mount_of() { findmnt --noheadings --first-only --output "$2" --mountpoint "$1"; }
ssh_answers() { timeout 20 bash -c 'exec 3<> /dev/tcp/127.0.0.1/22; read -r line <&3; [[ $line == SSH-2.0-* ]]'; }

# No path of the libraries is in the environment of the system's services or of what they start.
services_see_no_path() {
    refused sh -c 'systemctl show-environment | grep /workspace' &&
        refused sh -c 'systemd-run --quiet --pipe --wait env | grep /workspace' &&
        refused sh -c 'grep --files-with-matches --text /workspace /proc/[0-9]*/environ 2> /dev/null'
}

# The log of the last shutdown. A network mount that outlasts the network delays the shutdown.
last_shutdown() { journalctl --boot=-1 --output=short-monotonic --no-pager; }
line_of() { last_shutdown | grep --line-number --fixed-strings -e "$1" | tail --lines=1 | cut --delimiter=: --fields=1; }
unmounted_before_network() {
    local unit network
    network=$(line_of 'Stopped target network.target')
    for unit in workspace.mount var-lib-gateway-layers-1.mount; do
        if [ "$(line_of "Unmounted $unit")" -lt "$network" ]; then continue; fi
        last_shutdown | grep --fixed-strings -e "$unit" -e 'Stopped target network.target'
        echo "$unit was not unmounted before the network stopped"
        return 1
    done
}
nothing_timed_out() { refused sh -c "journalctl --boot=-1 --no-pager | grep -E 'Failed unmounting|([Uu]nmount|[Ss]top).*timed out|Killing process'"; }
