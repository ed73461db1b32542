# Starts the upgrade of this node, and waits for its end. The pod of the upgrade runs it in the namespaces of
# the machine, with the files of the service as arguments. It only waits: a restart of k3s or of the machine
# ends the pod, not the service. Exits with 1 if the upgrade has failed; its last line is the reason.
set -euo pipefail
umask 077

registries=${GATEWAY_REGISTRIES:-}
unset GATEWAY_REGISTRIES

state=/var/lib/gateway/upgrade
unit=gateway-upgrade.service
unit_file=/etc/systemd/system/$unit

# write FILE MODE TEXT: a power failure leaves the old file or the new one.
write() {
    printf '%s\n' "$3" > "$1.new"
    chmod "$2" "$1.new"
    sync "$1.new"
    mv "$1.new" "$1"
}

# prepare SCRIPT UNIT PLAN: replaces the upgrade of an earlier job, once its service has ended.
prepare() {
    mkdir -p "$state"
    if [ "$(cat "$state/plan" 2> /dev/null)" = "$3" ]; then return; fi
    while is_running; do sleep 5; done
    # The state of the machine counts, not that of an upgrade which has not ended.
    rm -rf "$state/result" "$state/kept" "$state/rolling-back" "$state/download" "$state/registries"
    write "$state/run" 700 "$1"
    write "$unit_file" 644 "$2"
    if [ -n "$registries" ]; then write "$state/registries" 600 "$registries"; fi
    write "$state/plan" 600 "$3"
    systemctl daemon-reload
}

is_running() {
    case $(systemctl show --property ActiveState --value "$unit") in
        active | activating | deactivating | reloading) ;;
        *) return 1 ;;
    esac
}

prepare "$1" "$2" "$3"
if [ ! -e "$state/result" ]; then
    # The next boot continues an interrupted upgrade.
    systemctl enable --quiet "$unit"
    systemctl start --no-block "$unit"
fi
ended=0
until [ -e "$state/result" ]; do
    if is_running; then ended=0; else ended=$((ended + 1)); fi
    if [ "$ended" -gt 6 ]; then
        printf 'the service %s has ended without a result\n' "$unit"
        exit 1
    fi
    sleep 5
done
{ read -r result && read -r reason; } < "$state/result"
printf '%s\n' "$reason"
[ "$result" = succeeded ]
