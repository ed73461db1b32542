# The programs that the work needs. Sourced.

# need_command COMMAND PACKAGE RPM: installs what the command comes in where the image lacks it.
need_command() {
    if command -v "$1" > /dev/null; then return; fi
    retry 300 install_package "$2" "$3"
    command -v "$1" > /dev/null
}

install_package() {
    if command -v apt-get > /dev/null; then
        # The lists of a fresh image are empty or old; once they are read, the next package needs no update.
        apt_install "$1" || { apt-get update --quiet && apt_install "$1"; }
    else
        dnf install --assumeyes --quiet "$2"
    fi
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "$1"
}

need_mount_programs() {
    local types type
    mapfile -t types < <(values mount_type)
    for type in "${types[@]}"; do
        case $type in
            nfs) need_command mount.nfs nfs-common nfs-utils ;;
            ceph) need_command mount.ceph ceph-common ceph-common ;;
        esac
    done
}
