# Replaces k3s on this node by another release, and the mirrors of registries by those of the gateway. A node
# that has both is left as it is. If the new release does not become ready in time, puts the old
# program and, on the control node, the copy of the database back. Each step can be repeated after a power
# failure, and the next boot continues. All values come from the plan of the upgrade.
state=/var/lib/gateway/upgrade
plan=$state/plan
k3s_dir=/var/lib/rancher/k3s
registries=/etc/rancher/k3s/registries.yaml
# In seconds: the longest start of k3s, and the time for which it must run.
start_limit=600
settling=20

# The download ends before k3s is stopped. The installer verifies the program, and writes only into the
# folder: a name of its own keeps it from the units of k3s.
download() {
    installer=$state/installer
    if is_ready "$version"; then
        mkdir -p "$staged"
        cp --archive "$program" "$staged/k3s"
        return
    fi
    require_command curl curl curl
    if [ "$(release_of "$staged/k3s")" = "$version" ]; then return; fi
    rm -rf "$staged"
    mkdir -p "$staged"
    download_installer
    retry 300 run_staged_installer
    if [ "$(release_of "$staged/k3s")" = "$version" ]; then return; fi
    printf 'the installer did not provide k3s %s\n' "$version"
    return 1
}

run_staged_installer() {
    (
        export INSTALL_K3S_NAME=gateway-upgrade INSTALL_K3S_EXEC=server INSTALL_K3S_SYMLINK=skip
        export INSTALL_K3S_BIN_DIR=$staged INSTALL_K3S_SYSTEMD_DIR=$staged
        export INSTALL_K3S_SKIP_ENABLE=true INSTALL_K3S_SKIP_START=true INSTALL_K3S_VERSION=$version
        INSTALL_K3S_CHANNEL_URL=$(values channel_url)
        INSTALL_K3S_ARTIFACT_URL=$(values artifact_url)
        export INSTALL_K3S_CHANNEL_URL INSTALL_K3S_ARTIFACT_URL
        timeout 600 sh "$installer" < /dev/null
    )
}

# release_of PROGRAM
release_of() {
    if [ -x "$1" ]; then "$1" --version 2> /dev/null | awk 'NR == 1 { print $3 }'; fi
}

# Copies what a rollback needs while k3s does not run; pods keep running. Each copy appears as a whole. The
# copy of the last upgrade stays.
keep_old() {
    systemctl stop "$unit"
    rm -rf "$state/before" "$state/before.new"
    mkdir "$state/before.new"
    cp --archive "$program" "$state/before.new/k3s"
    if [ "$role" = server ]; then
        cp --archive "$k3s_dir/server/db" "$k3s_dir/server/token" "$state/before.new"
    fi
    if [ -e "$registries" ]; then cp --archive "$registries" "$state/before.new"; fi
    mv "$state/before.new" "$state/before"
    sync
    touch "$state/kept"
    sync --file-system "$state"
}

# put PROGRAM: replaces the program of k3s.
put() {
    cp --archive "$1" "$program.new"
    sync "$program.new"
    mv "$program.new" "$program"
}

# k3s reads the mirrors only when it starts.
install_new() {
    systemctl stop "$unit"
    put "$staged/k3s"
    if [ -e "$state/registries" ]; then put_registries "$state/registries"; fi
    start "$version"
}

# put_registries FILE
put_registries() {
    mkdir -p "${registries%/*}"
    cp "$1" "$registries.new"
    chmod 600 "$registries.new"
    sync "$registries.new"
    mv "$registries.new" "$registries"
}

# Whether the node has the mirrors that it should have.
has_registries() {
    [ ! -e "$state/registries" ] || cmp --silent "$state/registries" "$registries"
}

# start RELEASE: starts k3s and waits until the node is ready with this release.
start() {
    systemctl start --no-block "$unit"
    retry "$start_limit" is_ready "$1" && sleep "$settling" && retry 60 is_ready "$1"
}

# is_ready RELEASE
is_ready() {
    systemctl is-active --quiet "$unit" || return 1
    if [ "$role" = server ]; then
        timeout 30 k3s kubectl get --raw /readyz < /dev/null > /dev/null 2>&1 || return 1
    fi
    [ "$(node_state)" = "$1 True" ]
}

# Prints the release and the readiness of this node. The kubelet may read its own node.
node_state() {
    timeout 30 k3s kubectl --kubeconfig "$k3s_dir/agent/kubelet.kubeconfig" get node "$(values node)" --output \
        jsonpath='{.status.nodeInfo.kubeletVersion} {.status.conditions[?(@.type=="Ready")].status}' \
        < /dev/null 2> /dev/null
}

# The program comes last: as long as it is the new one, the database may be that of the new release.
roll_back() {
    touch "$state/rolling-back"
    sync --file-system "$state"
    systemctl stop "$unit"
    if [ "$(release_of "$program")" = "$version" ]; then
        if [ "$role" = server ]; then restore_database; fi
        put "$state/before/k3s"
        sync
    fi
    if [ -e "$state/before/registries.yaml" ]; then
        put_registries "$state/before/registries.yaml"
    elif [ -e "$state/registries" ]; then
        rm -f "$registries"
    fi
    start "$(release_of "$program")"
}

restore_database() {
    rm -rf "$k3s_dir/server/db.new"
    if ! cp --archive "$state/before/db" "$k3s_dir/server/db.new"; then
        # The disk has no room for both.
        rm -rf "$k3s_dir/server/db" "$k3s_dir/server/db.new"
        cp --archive "$state/before/db" "$k3s_dir/server/db.new"
    fi
    rm -rf "$k3s_dir/server/db"
    mv "$k3s_dir/server/db.new" "$k3s_dir/server/db"
    cp --archive "$state/before/token" "$k3s_dir/server/token"
    sync
}

# step NAME: runs one of the functions in a process of its own, so that its first failure ends it.
step() {
    /bin/bash "$0" "$1" > "$state/log" 2>&1
}

# end RESULT REASON
end() {
    printf '%s\n' "$2"
    printf '%s\n%s\n' "$1" "$2" > "$state/result.new"
    sync "$state/result.new"
    mv "$state/result.new" "$state/result"
    rm -rf "$state/kept" "$state/rolling-back" "$state/why" "$state/download" "$state/installer" "$state/registries"
    systemctl disable --quiet gateway-upgrade.service
    exit 0
}

# fail WHAT: the last line that the failed step has printed is the reason. A shutdown also ends steps; the
# next boot continues.
fail() {
    local reason
    leave_if_shutting_down
    reason=$(LC_ALL=C tr -dc '\n -~' < "$state/log" | awk 'NF { line = $0 } END { print substr(line, 1, 300) }')
    end failed "$1: ${reason:-there is no message}"
}

leave_if_shutting_down() {
    if [ "$(systemctl is-system-running || true)" = stopping ]; then exit 1; fi
}

upgrade() {
    if [ ! -e "$state/rolling-back" ]; then
        if [ ! -e "$state/kept" ]; then
            if has_registries && is_ready "$version"; then end succeeded "k3s $version is ready"; fi
            step download || fail 'the download failed'
            if ! step keep_old; then
                # On a full disk, the database could not change.
                rm -rf "$state/before.new"
                systemctl start --no-block "$unit"
                fail 'the copy before the upgrade failed'
            fi
        fi
        if step install_new; then end succeeded "k3s $version is ready"; fi
        leave_if_shutting_down
        journalctl --quiet --boot --no-pager --output cat --lines 1 "_SYSTEMD_UNIT=$unit" > "$state/why" || true
    fi
    if step roll_back; then
        if [ -e "$state/why" ]; then mv "$state/why" "$state/log"; fi
        fail "k3s $version did not become ready in time, and the release before was put back"
    fi
    # Without a database it would begin an empty cluster.
    if [ "$role" = agent ] || [ -e "$k3s_dir/server/db" ]; then systemctl start --no-block "$unit"; fi
    fail "k3s $version did not become ready in time, and neither did the release before"
}

umask 077
version=$(values k3s_version)
role=$(values role)
unit=k3s.service
if [ "$role" = agent ]; then unit=k3s-agent.service; fi
program=$(command -v k3s)
staged=$state/download
if [ "$#" -gt 0 ]; then
    "$1"
    exit
fi
if [ ! -e "$state/result" ]; then upgrade; fi
