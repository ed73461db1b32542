# The lower layers, and the overlay at /workspace. Sourced.

# Installs the libraries of each writable share once. The marker on the share is for rebuilt machines. With
# the marker on this disk, later boots need not mount the share writable. It names the upper volume: a
# machine that was created from a snapshot of this disk has another one, and a share of its own.
install_libraries() {
    local layers layer marker machine
    machine=$(values upper_volume_id)
    mapfile -t layers < <(values install)
    for layer in "${layers[@]}"; do
        marker=$status_dir/installed-$layer
        if [ -e "$marker" ] && [ "$(cat "$marker")" = "$machine" ]; then continue; fi
        retry 300 start_mount "var-lib-gateway-install-$layer.mount"
        if [ ! -e "/var/lib/gateway/install/$layer/.gateway-installed" ]; then
            install_library "/var/lib/gateway/install/$layer" "package_$layer"
        fi
        systemctl stop "var-lib-gateway-install-$layer.mount"
        printf '%s\n' "$machine" > "$marker"
    done
}

# install_library SHARE NAME: removes the remains of an interrupted installation first.
install_library() {
    release_interpreter
    rm -rf "$1/python" "$1/python-packages"
    if has_value interpreter; then
        download_interpreter
        place_interpreter "$1/python"
        pip_install "$2"
        release_interpreter
    else
        pip_install "$2" --upgrade --target "$1/python-packages"
    fi
    # The marker must reach the disk after the packages.
    sync --file-system "$1"
    values "$2" > "$1/.gateway-installed"
    sync --file-system "$1"
    rm -f "$interpreter_archive"
}

# Network, access rules and keys may become available late.
mount_layers() {
    local units unit
    mapfile -t units < <(values layer_unit)
    for unit in "${units[@]}"; do
        retry 300 start_mount "$unit"
    done
}

mount_workspace() {
    local type
    start_mount workspace.mount
    type=$(findmnt --noheadings --output FSTYPE --mountpoint /workspace || true)
    if [ "$type" = overlay ]; then return; fi
    printf 'the file system at /workspace is not the overlay\n'
    return 1
}
