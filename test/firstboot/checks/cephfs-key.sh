# Checks that the share's key is only in a file that only root can read. KEY: the key.

# In a file: a process with the key in its arguments would be found.
printf '%s\n' "$KEY" > /root/expected-key
chmod 600 /root/expected-key

nowhere_else() {
    refused grep --recursive --files-with-matches --fixed-strings --file=/root/expected-key \
        /var/log /run/log /proc/mounts /etc/systemd &&
        refused sh -c 'cat /proc/[0-9]*/cmdline 2> /dev/null | tr "\0" "\n" | grep --fixed-strings --file=/root/expected-key' &&
        refused sh -c 'runuser --user debian -- grep --recursive --quiet --fixed-strings --file=- /etc /var/lib /run < /root/expected-key'
}
check key-is-the-one grep --quiet --fixed-strings --file=/root/expected-key /etc/gateway/first-boot/layer-1.secret
check key-file-private equal "$(stat --format '%a %U' /etc/gateway/first-boot/layer-1.secret)" '600 root'
check key-nowhere-else nowhere_else
