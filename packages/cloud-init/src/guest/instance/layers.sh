# The lower layers, and /workspace over them. Sourced.

# Libraries of a writable share are installed once: the marker on the share says so to a rebuilt machine,
# the one on this disk spares the later boots the look.
install_libraries() {
    local layers layer
    mapfile -t layers < <(values install)
    for layer in "${layers[@]}"; do
        if [ -e "$status_dir/installed-$layer" ]; then continue; fi
        retry 300 start_mount "var-lib-gateway-install-$layer.mount"
        if [ ! -e "/var/lib/gateway/install/$layer/.gateway-installed" ]; then
            install_library "/var/lib/gateway/install/$layer" "package_$layer"
        fi
        systemctl stop "var-lib-gateway-install-$layer.mount"
        touch "$status_dir/installed-$layer"
    done
}

# install_library SHARE NAME: all or nothing, so that what an earlier try left is never taken for whole.
install_library() {
    rm -rf "$1/python" "$1/python.partial"
    pip_install "$1/python.partial" "$2"
    mv "$1/python.partial" "$1/python"
    # Before the marker: a power cut must not leave that one alone behind.
    sync --file-system "$1"
    values "$2" > "$1/.gateway-installed"
    sync --file-system "$1"
}

# Network, access rules and keys may all come late.
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
    printf 'what is mounted at /workspace is not the overlay\n'
    return 1
}

# Jupyter looks for what its packages bring beside Python itself and in the system, not beside their modules.
link_jupyter() {
    local folder
    for folder in share etc; do
        if [ ! -d "/workspace/python/$folder/jupyter" ]; then continue; fi
        if [ -e "/usr/local/$folder/jupyter" ] || [ -L "/usr/local/$folder/jupyter" ]; then continue; fi
        mkdir -p "/usr/local/$folder"
        ln -s "/workspace/python/$folder/jupyter" "/usr/local/$folder/jupyter"
    done
}
