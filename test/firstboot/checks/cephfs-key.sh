# Is the share's key where root alone reads it? KEY.

# In a file: a command that is given the key would find itself.
printf '%s\n' "$KEY" > /root/wanted-key
chmod 600 /root/wanted-key

nowhere_else() {
    refused grep --recursive --files-with-matches --fixed-strings --file=/root/wanted-key \
        /var/log /run/log /proc/mounts /etc/systemd &&
        refused sh -c 'cat /proc/[0-9]*/cmdline 2> /dev/null | tr "\0" "\n" | grep --fixed-strings --file=/root/wanted-key' &&
        refused sh -c 'runuser --user debian -- grep --recursive --quiet --fixed-strings --file=- /etc /var/lib /run < /root/wanted-key'
}
check key-is-the-one grep --quiet --fixed-strings --file=/root/wanted-key /etc/gateway/first-boot/layer-1.secret
check key-file-private equal "$(stat --format '%a %U' /etc/gateway/first-boot/layer-1.secret)" '600 root'
check key-nowhere-else nowhere_else
