# The GPU driver, if the image has none. Sourced.

install_gpu_driver() {
    local packages package missing=()
    if command -v nvidia-smi > /dev/null; then return; fi
    mapfile -t packages < <(values gpu_package)
    for package in "${packages[@]}"; do
        if ! is_installed "$package"; then missing+=("$package"); fi
    done
    # In one call, because the packages may depend on each other. Only missing packages, so that no
    # installed driver is upgraded.
    if [ "${#missing[@]}" -gt 0 ]; then retry 300 install_packages "${missing[@]}"; fi
}
