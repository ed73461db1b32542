# Installs the library into its share. Sourced.
share=/var/lib/gateway/share
share_unit=var-lib-gateway-share.mount
manifest=$status_dir/manifest.json

# Writes the manifest last, because a share with a manifest is complete.
build_library() {
    start_stage tools
    require_command curl curl curl
    check_python
    require_mount_programs
    if has_value interpreter; then download_interpreter; fi
    start_stage share
    retry 300 start_mount "$share_unit"
    if [ ! -e "$share/.gateway-manifest.json" ]; then
        empty_share
        if has_value interpreter; then place_interpreter "$(interpreter_folder)"; fi
        start_stage commands
        run_commands
        start_stage packages
        add_packages
        start_stage manifest
        write_manifest
    fi
    cp "$share/.gateway-manifest.json" "$manifest"
    release_share
}

# The interpreter of a dependency is not part of the library.
interpreter_folder() {
    if has_value brings_interpreter; then printf '%s\n' "$share/python"; else printf '%s\n' "$status_dir/python"; fi
}

release_share() {
    release_interpreter
    timeout 120 systemctl stop "$share_unit"
}

check_python() {
    local required found
    required=$(values python_version)
    found=$(python3 --version)
    case $required in '' | "${found#Python }") return ;; esac
    if [[ $found == "Python $required."* ]]; then return; fi
    printf 'the library requires Python %s, but this image has %s\n' "$required" "$found"
    return 1
}

# find_own EXPRESSION...: finds what is on the share. Leaves out the folders that file servers put at the top
# of a share, such as those of their snapshots, which nobody can change.
find_own() {
    local name others=(-false)
    for name in lost+found .etc .fast-remove .snapshot .snapshots .zfs; do
        others+=(-o -path "$share/$name")
    done
    find "$share" -mindepth 1 \( "${others[@]}" \) -prune -o "$@"
}

empty_share() {
    mountpoint --quiet "$share"
    find_own -prune -exec rm -rf -- {} +
    mkdir "$share/bin" "$share/python" "$share/python-packages"
}

run_commands() {
    local command
    for command in /etc/gateway/first-boot/commands/*; do
        if [ ! -e "$command" ]; then continue; fi
        printf 'command %s\n' "${command##*/}"
        HOME=/root GATEWAY_SHARE=$share bash -euo pipefail "$command" < /dev/null 3>&-
    done
}

# Packages are installed into the interpreter, or for it, or for any interpreter. --ignore-installed: pip
# would leave out packages that the interpreter on this machine has, or uninstall them there.
add_packages() {
    if has_value brings_interpreter; then
        pip_install package_1
    elif has_value interpreter; then
        pip_install package_1 --ignore-installed --prefix "$share/python"
    else
        # pip would replace folders that the commands have put into the target.
        mkdir "$share/python-packages.partial"
        pip_install package_1 --upgrade --target "$share/python-packages.partial"
        cp --archive "$share/python-packages.partial/." "$share/python-packages/"
        rm -rf "$share/python-packages.partial"
    fi
}

# Lists the Python packages on the share, such as `numpy==2.2.1`. Later builds and the gateway rely on the
# list, so a package that cannot be listed fails the build.
list_packages() {
    local folder metadata files=()
    for folder in python/lib/python*/site-packages python-packages; do
        for metadata in "$folder"/*.dist-info/METADATA "$folder"/*.egg-info/PKG-INFO "$folder"/*.egg-info; do
            if [ ! -f "$metadata" ]; then continue; fi
            if [ ! -s "$metadata" ]; then
                printf '%s is empty\n' "$metadata"
                return 1
            fi
            files+=("$metadata")
        done
    done
    : > "$status_dir/packages"
    if [ "${#files[@]}" = 0 ]; then return; fi
    printf '%s\0' "${files[@]}" | LC_ALL=C xargs --null awk "$list_package" |
        LC_ALL=C sort --unique > "$status_dir/packages"
    if [ "$(wc --lines < "$status_dir/packages")" -gt 1000 ]; then
        printf 'the library contains more than 1000 packages\n'
        return 1
    fi
}

# The fields are in the header of a file, which ends at the first empty line.
list_package='
    function finish_file() {
        if (file == "" || failed) return
        if (name ~ /^[A-Za-z0-9][A-Za-z0-9._-]*$/ && version ~ /^[A-Za-z0-9.!+_-]+$/) print name "==" version
        else {
            print file " has no valid name and version" > "/dev/stderr"
            failed = 1
        }
    }
    FNR == 1 { finish_file(); file = FILENAME; name = version = ""; in_header = 1 }
    { sub(/[ \t\r]+$/, "") }
    $0 == "" { in_header = 0 }
    in_header && name == "" && /^Name: / { name = substr($0, 7) }
    in_header && version == "" && /^Version: / { version = substr($0, 10) }
    END { finish_file(); exit failed }'

write_manifest() {
    (
        cd "$share"
        list_packages
        find_own -type f ! -path "$share/SHA256SUMS" -printf '%P\0' | LC_ALL=C sort --zero-terminated |
            xargs --null --no-run-if-empty sha256sum -- > "$status_dir/SHA256SUMS"
        cp "$status_dir/SHA256SUMS" SHA256SUMS
        printf '{"library":"%s","version":"%s","built_at":"%s","files":%s,"checksum":"%s","packages":[%s]}\n' \
            "$(values library | json_line)" "$(values version | json_line)" "$(now)" \
            "$(wc --lines < SHA256SUMS)" "$(sha256sum < SHA256SUMS | cut --characters 1-64)" \
            "$(awk '{ printf "%s\"%s\"", separator, $0; separator = "," }' "$status_dir/packages")" \
            > .gateway-manifest.json.new
        chmod a+rX .
        find_own ! -type l -exec chmod a+rX -- {} +
        sync --file-system .
        mv .gateway-manifest.json.new .gateway-manifest.json
        sync --file-system .
    )
}
