# Packages of Python. Sourced.

# pip_install FOLDER NAME: the plan's packages of that name, into a folder that is made for them.
pip_install() {
    local packages
    mapfile -t packages < <(values "$2")
    mkdir "$1"
    if [ "${#packages[@]}" = 0 ]; then return; fi
    need_command pip3 python3-pip python3-pip
    # /tmp may be in memory, and too small for what pip downloads and builds. That root is no surprise is said
    # by a variable, since before pip 22.1 there is no such option.
    retry 120 timeout 1800 env TMPDIR=/var/tmp PIP_ROOT_USER_ACTION=ignore \
        pip3 install --no-input --no-cache-dir --disable-pip-version-check --upgrade \
        --target "$1" -- "${packages[@]}"
}
