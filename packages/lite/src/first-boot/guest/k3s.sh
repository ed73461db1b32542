# Downloads, installs and starts k3s. Sourced.
installer=$status_dir/k3s-install.sh
installed=$status_dir/k3s-installed
completed=$status_dir/completed
# cloud-init writes the id that the metadata service gives.
instance_id=/var/lib/cloud/data/instance-id
PATH=$PATH:/usr/local/bin:/opt/bin

# add_k3s server|agent: runs once. A later boot finds the marker.
add_k3s() {
    start_stage tools
    protect_metadata
    if [ -e "$installed" ]; then return; fi
    require_command curl curl curl
    start_stage download
    download_installer
    start_stage install
    install_k3s "$1"
}

# Pods must not read this node's first-boot data. The service repeats its work until it succeeds.
protect_metadata() {
    systemctl enable --quiet gateway-pod-metadata.service
    systemctl start --no-block gateway-pod-metadata.service
}

download_installer() {
    local expected found
    retry 300 fetch_installer
    expected=$(values installer_sha256)
    found=$(sha256sum < "$installer" | cut --characters 1-64)
    case $expected in '' | "$found") return ;; esac
    printf 'the install script has the SHA-256 %s, but %s is configured\n' "$found" "$expected"
    return 1
}

fetch_installer() {
    curl --silent --show-error --fail --location --globoff --connect-timeout 20 --max-time 120 \
        --output "$installer" --url "$(values installer_url)"
}

# The marker must reach the disk after the installed files.
install_k3s() {
    retry 120 run_installer "$1"
    sync
    touch "$installed"
    sync --file-system "$status_dir"
}

# The arguments of k3s. @INSTANCE_ID@ stands for the machine's id in the compute service. Arguments with it
# are left out on machines without such an id.
node_arguments() {
    local id='' word
    if [ -r "$instance_id" ]; then read -r id < "$instance_id" || true; fi
    while IFS= read -r word; do
        if [ "${word/@INSTANCE_ID@/}" = "$word" ]; then
            printf '%s\n' "$word"
        elif [[ $id =~ ^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$ ]]; then
            printf '%s\n' "${word/@INSTANCE_ID@/$id}"
        fi
    done < <(values argument)
}

# run_installer server|agent: the arguments have the form that the k3s unit requires, see unit-word.ts. The
# installer only enables the service, because a start has no time limit.
run_installer() {
    (
        mapfile -t words < <(node_arguments)
        export INSTALL_K3S_EXEC=$1 INSTALL_K3S_SKIP_START=true
        INSTALL_K3S_VERSION=$(values k3s_version)
        INSTALL_K3S_CHANNEL_URL=$(values channel_url)
        INSTALL_K3S_ARTIFACT_URL=$(values artifact_url)
        export INSTALL_K3S_VERSION INSTALL_K3S_CHANNEL_URL INSTALL_K3S_ARTIFACT_URL
        if [ "$1" = agent ]; then
            K3S_URL=$(values server_url)
            export K3S_URL K3S_TOKEN_FILE=/etc/gateway/first-boot/join-token
        fi
        timeout 600 sh "$installer" "${words[@]}" < /dev/null 3>&-
    )
}

# start_k3s UNIT SECONDS COMMAND...: starts the service and waits until the command succeeds. k3s
# itself repeats what fails.
start_k3s() {
    local unit=$1 seconds=$2
    shift 2
    systemctl start --no-block "$unit"
    if retry "$seconds" "$@"; then return; fi
    journalctl --quiet --boot --no-pager --output cat --lines 1 "_SYSTEMD_UNIT=$unit" || true
    return 1
}

# Later boots have nothing to do. The first report of the configuration file replaces its token.
mark_completed() {
    systemctl enable --quiet --now gateway-certificates.timer
    touch "$completed"
    sync --file-system "$status_dir"
    systemctl start --no-block gateway-certificates.service
    systemctl disable --quiet gateway-first-boot.service
}
