# Applies the manifests of the plugins. Sourced.
plugin_results=$status_dir/plugins

# Applies one plugin after another. A failure does not stop the others. An interrupted boot
# continues with the next plugin.
deploy_plugins() {
    local keys key result
    mkdir -p "$plugin_results"
    mapfile -t keys < <(values plugin)
    for key in "${keys[@]}"; do
        if [ -e "$plugin_results/$key" ]; then continue; fi
        result=failed
        if deploy_plugin "$key"; then result=deployed; fi
        printf 'plugin %s: %s\n' "$key" "$result"
        printf '%s\n' "$result" > "$plugin_results/$key.new"
        sync --file-system "$plugin_results"
        mv "$plugin_results/$key.new" "$plugin_results/$key"
    done
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

# Prints the members of `plugin_status`.
plugin_status() {
    local keys key separator=
    mapfile -t keys < <(values plugin)
    for key in "${keys[@]}"; do
        if [ ! -e "$plugin_results/$key" ]; then continue; fi
        printf '%s"%s":"%s"' "$separator" "$key" "$(cat "$plugin_results/$key")"
        separator=,
    done
}
