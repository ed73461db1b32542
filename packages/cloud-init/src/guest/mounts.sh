# Mounts. How each is made stands in its unit; keys in files that root alone reads. Sourced.

# start_mount UNIT: what the mount program says of a failure is in the journal alone.
start_mount() {
    if systemctl start "$1"; then return; fi
    journalctl --quiet --boot --no-pager --output cat --lines 1 "_SYSTEMD_UNIT=$1" || true
    return 1
}
