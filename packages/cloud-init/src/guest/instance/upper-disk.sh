# The disk of the upper layer. It is attached after the machine has started. Sourced.
upper_dir=/var/lib/gateway/upper

find_upper_disk() {
    upper_disk=
    grace_ends=$((SECONDS + 120))
    if ! retry 600 choose_upper_disk; then
        printf 'no disk has the serial %s, and %s does not exist or is in use\n' \
            "$(values upper_volume_id)" "$(values upper_device)"
        return 1
    fi
    printf 'the upper disk is %s\n' "$upper_disk"
}

# The serial of the disk is the volume's id. virtio keeps its first 20 characters.
choose_upper_disk() {
    local id fallback disk
    id=$(values upper_volume_id)
    fallback=$(values upper_device)
    for disk in "/dev/disk/by-id/virtio-${id:0:20}" /dev/disk/by-id/*"$id"; do
        if [ -b "$disk" ]; then
            upper_disk=$disk
            return
        fi
    done
    if ! is_candidate "$fallback"; then return 1; fi
    # A blank or labelled disk is most likely the upper disk. Any other may belong to the flavor, so wait some
    # time for the upper disk before choosing it. A disk that is not blank is never formatted.
    if is_blank "$fallback" || [ "$(value_of LABEL "$fallback")" = gateway-upper ] || [ "$SECONDS" -ge "$grace_ends" ]; then
        upper_disk=$fallback
        return
    fi
    return 1
}

# A disk that was found by its name is not the upper disk if it is in use or its serial is
# the id of another volume.
is_candidate() {
    local serial
    if [ ! -b "$1" ]; then return 1; fi
    if lsblk --noheadings --raw --output MOUNTPOINT "$1" | grep -vx -e '' -e "$upper_dir" > /dev/null; then return 1; fi
    serial=$(cat "/sys/block/${1##*/}/serial" 2> /dev/null || true)
    [[ ! $serial =~ ^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}- ]]
}

# value_of TAG DISK: prints the tag's value on the disk, or nothing.
value_of() {
    blkid --probe --match-tag "$1" --output value "$2" || true
}

# A disk is blank if it is readable, begins with zeros like a new volume, and neither blkid (status 2, also
# after a read error) nor wipefs finds a signature. Requiring zeros excludes data without a signature, such as
# headerless encryption.
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
            printf '%s contains something other than a usable file system: refused\n' "$upper_disk"
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

    # All users may create files in /workspace, but only root in the directories of the search paths.
    if [ ! -d "$upper_dir/upper" ]; then install -d -m 1777 "$upper_dir/upper"; fi
    for directory in "$upper_dir/work" "$upper_dir/upper/bin" "$upper_dir/upper/python" "$upper_dir/upper/python-packages"; do
        if [ ! -e "$directory" ]; then mkdir "$directory"; fi
    done
}
