# The driver and the container runtime of NVIDIA GPUs, if the image lacks them. Sourced, with gpu.sh.

# Runs before k3s starts: k3s uses a container runtime only if it exists at that time.
set_up_gpus() {
    if ! has_value gpu_package && ! has_value gpu_toolkit_package; then return; fi
    start_stage gpu
    if has_value gpu_package; then
        install_gpu_driver || fail_with 'the GPU driver could not be installed'
        # A driver that was installed at this boot is not loaded.
        modprobe nvidia || true
        retry 60 list_gpus || fail_with 'the GPU driver does not work'
    fi
    if has_value gpu_toolkit_package; then
        install_container_runtime || fail_with 'the container runtime for GPUs could not be installed'
    fi
}

# Fails without a card, whatever the exit status of the program.
list_gpus() {
    local cards
    cards=$(nvidia-smi --list-gpus 2>&1) || true
    printf '%s\n' "$cards"
    [[ $cards =~ (^|$'\n')GPU\ [0-9] ]]
}

install_container_runtime() {
    local runtime=nvidia-container-runtime
    if command -v "$runtime" > /dev/null; then return; fi
    install_missing gpu_toolkit_package || return 1
    if ! command -v "$runtime" > /dev/null; then
        printf 'the command %s does not exist, although its packages are installed\n' "$runtime"
        return 1
    fi
}

# fail_with WHAT: logs what has failed, with the last message of the program that has failed.
fail_with() {
    printf '%s: %s\n' "$1" "$(last_log_line)"
    return 1
}
