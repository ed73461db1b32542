# Packages of Python. Sourced.

# pip_install FOLDER NAME: the plan's packages of that name, into a folder that is made for them.
pip_install() {
    local packages
    mapfile -t packages < <(values "$2")
    mkdir "$1"
    if [ "${#packages[@]}" = 0 ]; then return; fi
    need_command pip3 python3-pip python3-pip
    retry 120 timeout 1800 pip3 install --no-input --no-cache-dir --disable-pip-version-check --upgrade \
        --root-user-action ignore --target "$1" -- "${packages[@]}"
}
