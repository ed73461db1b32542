# The upper layer's disk. It is attached after the machine has started. Sourced.
upper_dir=/var/lib/gateway/upper

find_upper_disk() {
    upper_disk=
    grace_ends=$((SECONDS + 120))
    if ! retry 600 look_for_upper_disk; then
        printf 'no disk has the serial %s, and %s is not there or in use\n' \
            "$(values upper_volume_id)" "$(values upper_device)"
        return 1
    fi
    printf 'the upper disk is %s\n' "$upper_disk"
}

# By the volume's id, which is the disk's serial (virtio keeps the first 20 characters of it).
look_for_upper_disk() {
    local id fallback disk
    id=$(values upper_volume_id)
    fallback=$(values upper_device)
    for disk in "/dev/disk/by-id/virtio-${id:0:20}" /dev/disk/by-id/*"$id"; do
        if [ -b "$disk" ]; then
            upper_disk=$disk
            return
        fi
    done
    if ! may_be_upper_disk "$fallback"; then return 1; fi
    # Blank or with our label it is most likely ours; with anything else on it, it may be a disk of the flavor
    # that is there before ours: ours gets some time to come, and this one is never formatted.
    if is_blank "$fallback" || [ "$(value_of LABEL "$fallback")" = gateway-upper ] || [ "$SECONDS" -ge "$grace_ends" ]; then
        upper_disk=$fallback
        return
    fi
    return 1
}

# A disk found by name alone is not ours when it is in use, or when its serial is the id of another volume.
may_be_upper_disk() {
    local serial
    if [ ! -b "$1" ]; then return 1; fi
    if lsblk --noheadings --raw --output MOUNTPOINT "$1" | grep -vx -e '' -e "$upper_dir" > /dev/null; then return 1; fi
    serial=$(cat "/sys/block/${1##*/}/serial" 2> /dev/null || true)
    [[ ! $serial =~ ^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}- ]]
}

# value_of TAG DISK: what blkid reads on it; empty when it finds none.
value_of() {
    blkid --probe --match-tag "$1" --output value "$2" || true
}

# Blank is only what can be read and begins with nothing but zeros, as a new volume does, where blkid finds nothing
# (its 2, but also its answer to a read error) and wipefs no signature either. The zeros tell it from what no program
# knows by its looks, as a disk that was encrypted without a header.
is_blank() {
    local probe=0 signatures
    cmp --quiet --bytes=1048576 -- "$1" /dev/zero || return 1
    blkid --probe "$1" > /dev/null || probe=$?
    signatures=$(wipefs --no-act "$1") || return 1
    [ "$probe" = 2 ] && [ -z "$signatures" ]
}

format_if_blank() {
    if is_blank "$upper_disk"; then
        printf 'formatting %s\n' "$upper_disk"
        mkfs.ext4 -q -L gateway-upper "$upper_disk"
        udevadm settle --timeout=30 || true
    fi
    case $(value_of TYPE "$upper_disk") in
        ext4 | xfs) ;;
        *)
            printf '%s holds something other than a usable file system: refused\n' "$upper_disk"
            return 1
            ;;
    esac
}

mount_upper_disk() {
    local drop_in=/etc/systemd/system/var-lib-gateway-upper.mount.d directory
    mkdir -p "$drop_in"
    printf '[Mount]\nWhat=%s\n' "$upper_disk" > "$drop_in/device.conf"
    systemctl daemon-reload
    retry 120 start_mount var-lib-gateway-upper.mount

    # Anybody may make files in /workspace, but only root in what the search paths name.
    if [ ! -d "$upper_dir/upper" ]; then install -d -m 1777 "$upper_dir/upper"; fi
    for directory in "$upper_dir/work" "$upper_dir/upper/bin" "$upper_dir/upper/python"; do
        if [ ! -e "$directory" ]; then mkdir "$directory"; fi
    done
}
