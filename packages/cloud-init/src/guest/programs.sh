# The programs that the work requires. Sourced.

# require_command COMMAND DEB RPM: installs the package of the command unless the command exists.
require_command() {
    if command -v "$1" > /dev/null; then return; fi
    if uses_apt; then retry 300 install_packages "$2"; else retry 300 install_packages "$3"; fi
    if ! command -v "$1" > /dev/null; then
        printf 'the command %s does not exist, although its package is installed\n' "$1"
        return 1
    fi
}

uses_apt() {
    command -v apt-get > /dev/null
}

install_packages() {
    if uses_apt; then
        # The package lists of a new image are empty or outdated. After a power failure during an
        # installation, apt installs nothing until that installation is completed.
        apt_install "$@" || { finish_interrupted && apt-get update --quiet && apt_install "$@"; }
    else
        dnf install --assumeyes --quiet -- "$@"
    fi
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends \
        -o DPkg::Lock::Timeout=300 -- "$@"
}

finish_interrupted() {
    DEBIAN_FRONTEND=noninteractive dpkg --configure --pending || true
}

is_installed() {
    if uses_apt; then
        [ "$(dpkg-query --show --showformat '${db:Status-Status}' "${1%%=*}" 2> /dev/null)" = installed ]
    else
        rpm --query --quiet -- "$1"
    fi
}

require_mount_programs() {
    local types type
    mapfile -t types < <(values mount_type)
    for type in "${types[@]}"; do
        case $type in
            nfs) require_command mount.nfs nfs-common nfs-utils ;;
            ceph) require_command mount.ceph ceph-common ceph-common ;;
        esac
    done
}
