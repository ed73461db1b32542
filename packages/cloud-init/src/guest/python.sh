# Python packages, and the interpreter that a library brings. Sourced.

# Where instances have the interpreter. The first line of its scripts names this path, so it must be there
# while packages are installed, too.
interpreter=/workspace/python
interpreter_archive=$status_dir/interpreter.tar.gz

# The required versions of packages, if there are any.
constraints=/etc/gateway/first-boot/constraints

# download_interpreter: downloads the archive for this machine's architecture. An archive without `.partial`
# has the configured checksum.
download_interpreter() {
    local machine sha256 url found=''
    machine=$(uname --machine)
    read -r sha256 url < <(values interpreter | sed --quiet "s/^$machine //p") || true
    if [ -z "$url" ]; then
        printf 'no interpreter is configured for the architecture %s\n' "$machine"
        return 1
    fi
    if [ -e "$interpreter_archive" ]; then return; fi
    require_command curl curl curl
    # A download that was continued can consist of two different files, so there is a second one.
    for _ in 1 2; do
        retry 600 fetch_interpreter "$url"
        found=$(sha256sum < "$interpreter_archive.partial" | cut --characters 1-64)
        if [ "$found" = "$sha256" ]; then
            mv "$interpreter_archive.partial" "$interpreter_archive"
            return
        fi
        rm "$interpreter_archive.partial"
    done
    printf 'the archive of the interpreter has the SHA-256 %s, but %s is configured\n' "$found" "$sha256"
    return 1
}

# fetch_interpreter URL: continues an earlier download. If the server refuses, the next call starts again.
fetch_interpreter() {
    local status=0
    curl --silent --show-error --fail --location --globoff --connect-timeout 20 --max-time 1800 \
        --speed-limit 1000 --speed-time 60 --continue-at - --output "$interpreter_archive.partial" --url "$1" || status=$?
    case $status in 22 | 33 | 36) rm -f "$interpreter_archive.partial" ;; esac
    return "$status"
}

# place_interpreter FOLDER: unpacks the archive into the folder, which becomes visible at the place that the
# interpreter has in instances.
place_interpreter() {
    release_interpreter
    mkdir -p "$1" "$interpreter"
    mount --bind "$1" "$interpreter"
    tar --extract --gzip --file "$interpreter_archive" --directory "$interpreter" --strip-components 1 \
        --no-same-owner -- python
}

release_interpreter() {
    if mountpoint --quiet "$interpreter"; then umount "$interpreter"; fi
}

# pip_install NAME OPTION...: installs the plan's packages of that name in one run of pip, so that pip selects
# compatible versions.
pip_install() {
    local packages pip=(pip3) options=("${@:2}")
    mapfile -t packages < <(values "$1")
    if [ "${#packages[@]}" = 0 ]; then return; fi
    if has_value interpreter; then
        pip=("$interpreter/bin/python3" -m pip)
    else
        require_command pip3 python3-pip python3-pip
    fi
    if [ -e "$constraints" ]; then options+=(--constraint "$constraints"); fi
    # /tmp may be in memory and too small for pip's downloads and builds. PIP_ROOT_USER_ACTION suppresses the
    # warning about running as root; as an option it exists only since pip 22.1.
    retry 120 timeout 1800 env TMPDIR=/var/tmp PIP_ROOT_USER_ACTION=ignore \
        "${pip[@]}" install --no-input --no-cache-dir --disable-pip-version-check "${options[@]}" -- "${packages[@]}"
}
