# Is the share's key where root alone reads it? KEY.

check key-file-private equal "$(stat --format '%a %U' /etc/gateway/first-boot/layer-1.secret)" '600 root'
nowhere_else() {
    refused grep --recursive --files-with-matches --fixed-strings -e "$KEY" /var/log /run/log /proc/mounts /etc/systemd &&
        refused sh -c 'cat /proc/[0-9]*/cmdline 2> /dev/null | tr "\0" "\n" | grep --fixed-strings --line-regexp -e "$KEY"' &&
        refused runuser --user debian -- grep --recursive --quiet --fixed-strings -e "$KEY" /etc /var/lib /run
}
check key-nowhere-else nowhere_else
