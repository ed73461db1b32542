# The disk of the upper layer. It is attached after the machine has started. Sourced.
upper_dir=/var/lib/gateway/upper

find_upper_disk() {
    upper_disk=
    grace_ends=$(($(uptime_seconds) + 120))
    if ! retry 600 choose_upper_disk; then
        printf 'no disk has the serial %s, and %s does not exist or is in use\n' \
            "$(values upper_volume_id)" "$(values upper_device)"
        return 1
    fi
    printf 'the upper disk is %s\n' "$upper_disk"
}

choose_upper_disk() {
    local fallback disk
    fallback=$(values upper_device)
    for disk in /sys/block/*; do
        if is_upper_volume "${disk##*/}"; then
            upper_disk=$(lasting_name "/dev/${disk##*/}")
            return
        fi
    done
    if ! is_candidate "$fallback"; then return 1; fi
    # A blank or labelled disk is most likely the upper disk. Any other may belong to the flavor, so wait some
    # time for the upper disk before choosing it. A disk that is not blank is never formatted.
    if is_blank "$fallback" || [ "$(value_of LABEL "$fallback")" = gateway-upper ] || [ "$(uptime_seconds)" -ge "$grace_ends" ]; then
        upper_disk=$fallback
        return
    fi
    return 1
}

# is_upper_volume NAME: whether the serial of the disk is the volume's id. Controllers keep at least its
# first 20 characters, and world-wide names leave the hyphens out.
is_upper_volume() {
    local id
    id=$(values upper_volume_id)
    id=${id:0:20}
    case $(serials_of "$1" | tr -d -) in *"${id//-/}"*) ;; *) return 1 ;; esac
}

# serials_of NAME: prints what identifies the disk of this kernel name. Each controller has another file, and
# in those of SCSI the texts are between binary numbers.
serials_of() {
    local file
    for file in serial wwid device/serial device/wwid device/vpd_pg80 device/vpd_pg83; do
        { LC_ALL=C tr -c '[:print:]' '\n' < "/sys/block/$1/$file"; } 2> /dev/null || true
    done | tr A-F a-f
}

# lasting_name DEVICE: prints a name that the device also has after a restart, if there is one.
lasting_name() {
    local link
    udevadm settle --timeout=30 || true
    for link in /dev/disk/by-id/* /dev/disk/by-path/*; do
        if [ "$link" -ef "$1" ]; then
            printf '%s\n' "$link"
            return
        fi
    done
    printf '%s\n' "$1"
}

# A disk that was found by its name is not the upper disk if it is in use or its serial is
# the id of another volume.
is_candidate() {
    if [ ! -b "$1" ]; then return 1; fi
    if lsblk --noheadings --raw --output MOUNTPOINT "$1" | grep -vx -e '' -e "$upper_dir" > /dev/null; then return 1; fi
    ! serials_of "${1##*/}" | grep --quiet --extended-regexp '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-'
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
    local directory
    name_device
    systemctl daemon-reload
    retry 120 start_mount var-lib-gateway-upper.mount

    # All users may create files in /workspace, but only root in the directories of the search paths.
    if [ ! -d "$upper_dir/upper" ]; then install -d -m 1777 "$upper_dir/upper"; fi
    for directory in "$upper_dir/work" "$upper_dir/upper/bin" "$upper_dir/upper/python" "$upper_dir/upper/python-packages"; do
        if [ ! -e "$directory" ]; then mkdir "$directory"; fi
    done
}

# On the disk, because at later boots services that need /workspace start its mounts before this script runs.
# Written only if the device is another one: the disk may be full.
name_device() {
    local drop_in=/etc/systemd/system/var-lib-gateway-upper.mount.d lines
    lines=$(printf '[Mount]\nWhat=%s' "$upper_disk")
    if [ "$(cat "$drop_in/device.conf" 2> /dev/null)" = "$lines" ]; then return; fi
    mkdir -p "$drop_in"
    printf '%s\n' "$lines" > "$drop_in/device.conf.new"
    mv "$drop_in/device.conf.new" "$drop_in/device.conf"
}
