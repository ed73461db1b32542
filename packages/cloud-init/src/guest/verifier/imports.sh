# Whether the library works as users use it. Sourced.
packages=$status_dir/packages.json

# import_packages: writes the results to a file. It does not fail if packages are broken.
import_packages() {
    local names python
    mapfile -t names < <(values import)
    printf '[]\n' > "$packages"
    if has_value python_version; then
        check_interpreter
    elif [ "${#names[@]}" = 0 ]; then
        return
    fi
    as_user python3 "$library/import-packages.py" "${names[@]}" > "$packages.new"
    mv "$packages.new" "$packages"
}

# Users get the interpreter of the library, not one of the image.
check_interpreter() {
    local found required
    required=$(values python_version)
    found=$(as_user python3 -c 'import platform, sys; print(sys.prefix, platform.python_version())')
    case $found in "$interpreter $required" | "$interpreter $required".*) return ;; esac
    printf 'python3 is that of %s, not Python %s of %s\n' "$found" "$required" "$interpreter"
    return 1
}

# as_user COMMAND...: runs a program in a login shell without the rights and the environment of root.
as_user() {
    install -d -o 65534 -g 65534 -m 700 "$status_dir.user"
    (
        cd /
        setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs \
            env --ignore-environment HOME="$status_dir.user" LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin \
            bash --login -c 'exec "$@"' bash "$@" < /dev/null 3>&-
    )
}
