# The driver of the GPU, where the image brings none. Sourced.

install_gpu_driver() {
    local packages package missing=()
    if command -v nvidia-smi > /dev/null; then return; fi
    mapfile -t packages < <(values gpu_package)
    for package in "${packages[@]}"; do
        if ! is_installed "$package"; then missing+=("$package"); fi
    done
    # Together, since they may need each other; and never again, since that could bring a newer one.
    if [ "${#missing[@]}" -gt 0 ]; then retry 300 install_packages "${missing[@]}"; fi
}
