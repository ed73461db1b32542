# Python packages. Sourced.

# The required versions of packages. Only builders of libraries with dependencies have this file.
constraints=/etc/gateway/first-boot/constraints

# pip_install FOLDER NAME: creates the folder and installs the plan's packages of that name into it, in one
# run of pip, so that pip selects compatible versions.
pip_install() {
    local packages options=()
    mapfile -t packages < <(values "$2")
    mkdir "$1"
    if [ "${#packages[@]}" = 0 ]; then return; fi
    require_command pip3 python3-pip python3-pip
    if [ -e "$constraints" ]; then options=(--constraint "$constraints"); fi
    # /tmp may be in memory and too small for pip's downloads and builds. PIP_ROOT_USER_ACTION suppresses the
    # warning about running as root; as an option it exists only since pip 22.1.
    retry 120 timeout 1800 env TMPDIR=/var/tmp PIP_ROOT_USER_ACTION=ignore \
        pip3 install --no-input --no-cache-dir --disable-pip-version-check --upgrade \
        "${options[@]}" --target "$1" -- "${packages[@]}"
}
