# Mounts. The options of a mount are in its unit, and its key in a file that only root can read. Sourced.

# start_mount UNIT: after a failure also prints the mount program's message from the journal.
start_mount() {
    if systemctl start "$1"; then return; fi
    journalctl --quiet --boot --no-pager --output cat --lines 1 "_SYSTEMD_UNIT=$1" || true
    return 1
}
