# Lets the next boot complete interrupted work. Sourced.

# Must run first: cloud-init does not run a script twice, and a power failure loses data that is not on the
# disk yet. Enabling the service also makes systemd reload its units.
enable_at_boot() {
    systemctl enable --quiet gateway-first-boot.service
    sync
}
