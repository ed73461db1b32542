# Lets the next boot complete the work of an interrupted one. Sourced.

# Must run first: cloud-init does not run a script twice, and a power failure loses what is not on the disk yet.
# Enabling the service also makes systemd reload its units.
enable_at_boot() {
    systemctl enable --quiet gateway-first-boot.service
    sync
}
