# The lower layers. How each is mounted stands in its mount unit; keys in files that root alone reads. Sourced.

# Libraries of a writable share are installed once: the marker on the share says so to a rebuilt machine,
# the one on this disk spares the later boots the look.
install_libraries() {
    local layers layer
    mapfile -t layers < <(values install)
    for layer in "${layers[@]}"; do
        if [ -e "$status_dir/installed-$layer" ]; then continue; fi
        retry 300 systemctl start "var-lib-gateway-install-$layer.mount"
        if [ ! -e "/var/lib/gateway/install/$layer/.gateway-installed" ]; then
            install_packages "/var/lib/gateway/install/$layer" "$layer"
        fi
        systemctl stop "var-lib-gateway-install-$layer.mount"
        touch "$status_dir/installed-$layer"
    done
}

# install_packages SHARE LAYER: all or nothing, so that what an earlier try left is never taken for whole.
install_packages() {
    local packages
    mapfile -t packages < <(values "package_$2")
    rm -rf "$1/python" "$1/python.partial"
    mkdir "$1/python.partial"
    if [ "${#packages[@]}" -gt 0 ]; then
        need_command pip3 python3-pip python3-pip
        retry 600 timeout 1800 pip3 install --no-input --no-cache-dir --disable-pip-version-check --upgrade \
            --target "$1/python.partial" -- "${packages[@]}"
    fi
    mv "$1/python.partial" "$1/python"
    printf '%s\n' "${packages[@]}" > "$1/.gateway-installed"
    sync --file-system "$1"
}

# Network, access rules and keys may all come late.
mount_layers() {
    local units unit
    mapfile -t units < <(values layer_unit)
    for unit in "${units[@]}"; do
        retry 300 systemctl start "$unit"
    done
}
