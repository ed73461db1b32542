# The GPU driver, if the image has none. Sourced.

install_gpu_driver() {
    if ! command -v nvidia-smi > /dev/null; then install_missing gpu_package; fi
}

# install_missing NAME: installs the packages with this name in the plan that are missing.
install_missing() {
    local packages package missing=()
    mapfile -t packages < <(values "$1")
    for package in "${packages[@]}"; do
        if ! is_installed "$package"; then missing+=("$package"); fi
    done
    # In one call, because the packages may depend on each other. Only missing packages, so that no
    # installed driver is upgraded.
    if [ "${#missing[@]}" -gt 0 ]; then retry 300 install_packages "${missing[@]}"; fi
}
