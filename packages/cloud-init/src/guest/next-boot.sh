# What makes a boot that is cut short good at the next one. Sourced.

# First of all: cloud-init does nothing a second time, and a power cut takes what is not on the disk yet.
# systemd reads its units anew with it.
keep_for_next_boot() {
    systemctl enable --quiet gateway-first-boot.service
    sync
}
