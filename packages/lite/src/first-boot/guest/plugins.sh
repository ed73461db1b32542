# Applies the manifests of the plugins, and waits until their programs run. Sourced.
plugin_results=$status_dir/plugins
# The longest wait for the programs of all plugins, in seconds, and the time for which they must run.
plugin_wait=300
plugin_settling=20

# Applies one plugin after another. A failure does not stop the others. An interrupted boot
# continues with the next plugin.
deploy_plugins() {
    local keys key result
    mkdir -p "$plugin_results"
    mapfile -t keys < <(values plugin)
    for key in "${keys[@]}"; do
        if [ -e "$plugin_results/$key" ]; then continue; fi
        result=failed
        start_stage "plugin $key"
        if deploy_plugin "$key"; then result=applied; fi
        save_plugin "$key" "$result"
    done
}

# save_plugin KEY RESULT
save_plugin() {
    printf 'plugin %s: %s\n' "$1" "$2"
    printf '%s\n' "$2" > "$plugin_results/$1.new"
    sync --file-system "$plugin_results"
    mv "$plugin_results/$1.new" "$plugin_results/$1"
}

# deploy_plugin KEY: tries for two minutes, but leaves enough of the time limit for the report.
deploy_plugin() {
    local seconds=$(($(time_left 0) - 120))
    if [ "$seconds" -le 0 ]; then
        printf 'no time is left for the plugin %s\n' "$1"
        return 1
    fi
    retry $((seconds < 120 ? seconds : 120)) apply_manifests "$1" && return
    printf 'the plugin %s could not be applied, see %s\n' "$1" "$plugin_results/$1.log"
    return 1
}

# The output may contain parts of the manifests with secrets, so only root can read it. Applies on the server
# side, because each object would otherwise contain its manifest.
apply_manifests() {
    (
        umask 077
        timeout 60 k3s kubectl apply --server-side --force-conflicts \
            --filename "/opt/k3s/$1-manifests.yaml" < /dev/null > "$plugin_results/$1.log" 2>&1
    )
}

# Waits until the workloads of the applied plugins are available. A program that crashes is available each
# time it starts, so the state counts only if it lasts.
await_plugins() {
    local keys key deadline seconds
    mapfile -t keys < <(applied_plugins)
    if [ "${#keys[@]}" = 0 ]; then return; fi
    seconds=$(($(time_left 0) - 120))
    deadline=$(($(uptime_seconds) + (seconds < plugin_wait ? seconds : plugin_wait)))
    for key in "${keys[@]}"; do
        start_stage "wait $key"
        await_workloads "$key" "$deadline" || true
    done
    sleep "$plugin_settling"
    for key in "${keys[@]}"; do
        if await_workloads "$key" 0 || retry $((deadline - $(uptime_seconds))) stays_available "$key" "$deadline"; then
            save_plugin "$key" deployed
        else
            save_pods "$key"
            save_plugin "$key" failed
        fi
    done
}

applied_plugins() {
    local key
    while read -r key; do
        if [ "$(cat "$plugin_results/$key")" = applied ]; then printf '%s\n' "$key"; fi
    done < <(values plugin)
}

# stays_available KEY DEADLINE
stays_available() {
    await_workloads "$1" "$2" && sleep "$plugin_settling" && await_workloads "$1" 0
}

# await_workloads KEY DEADLINE: waits until the plugin's workloads are available. Tries once after the
# deadline.
await_workloads() {
    local key workload left
    while read -r key workload _; do
        if [ "$key" != "$1" ]; then continue; fi
        left=$(($2 - $(uptime_seconds)))
        await_workload "$workload" $((left > 1 ? left : 1)) || return 1
    done < <(values workload)
}

# await_workload KIND/NAME SECONDS
await_workload() {
    local command=(rollout status "$1")
    case $1 in job/*) command=(wait --for=condition=complete "$1") ;; esac
    timeout $(($2 + 10)) k3s kubectl --namespace kube-system "${command[@]}" --timeout="$2s" \
        < /dev/null > /dev/null 2>&1
}

# save_pods KEY: saves the status of the plugin's pods, as JSON. It may quote logs, so only root can read it.
save_pods() {
    local file=$plugin_results/$1.pods
    (umask 077 && print_pods "$1" > "$file") || printf '[]\n' > "$file"
    # The report must not become too long.
    if [ "$(wc --bytes < "$file")" -gt 100000 ]; then printf '[]\n' > "$file"; fi
}

# print_pods KEY
print_pods() {
    local key app apps=
    while read -r key _ app; do
        if [ "$key" = "$1" ]; then apps=$apps${apps:+,}$app; fi
    done < <(values workload)
    timeout 30 k3s kubectl --namespace kube-system get pods --selector "app in ($apps)" \
        --field-selector status.phase!=Failed,status.phase!=Succeeded \
        --output jsonpath-as-json='{.items[*].status}' < /dev/null 2> /dev/null
}

# Prints the members of `plugin_status`.
plugin_status() {
    local keys key result separator=
    mapfile -t keys < <(values plugin)
    for key in "${keys[@]}"; do
        if [ ! -e "$plugin_results/$key" ]; then continue; fi
        result=$(cat "$plugin_results/$key")
        if [ "$result" = applied ]; then result=failed; fi
        printf '%s"%s":"%s"' "$separator" "$key" "$result"
        separator=,
    done
}

# Prints the members of `plugin_pods`.
plugin_pods() {
    local keys key separator=
    mapfile -t keys < <(values plugin)
    for key in "${keys[@]}"; do
        if [ ! -e "$plugin_results/$key.pods" ]; then continue; fi
        printf '%s"%s":%s' "$separator" "$key" "$(cat "$plugin_results/$key.pods")"
        separator=,
    done
}
