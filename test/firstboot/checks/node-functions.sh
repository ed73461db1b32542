# Functions of the checks of a cluster's nodes.

status_dir=/var/lib/gateway/first-boot
stand_in=/var/lib/rancher/k3s/stub

hash_of() { sha256sum "$@" | cut --characters 1-64; }
mode_of() { stat --format '%a %U' "$1"; }

# In a file: a process with a secret in its arguments would be found.
nowhere_else() {
    refused grep --recursive --files-with-matches --fixed-strings --file="$1" /var/log /run/log /etc/systemd &&
        refused sh -c 'cat /proc/[0-9]*/cmdline 2> /dev/null | tr "\0" "\n" | grep --fixed-strings --file="$0"' "$1" &&
        refused sh -c 'runuser --user debian -- grep --recursive --quiet --fixed-strings --file=- /etc /var/lib /run /opt < "$0"' "$1"
}

# The unit that the installer of k3s would write: a quoted word per line.
words_arrive() {
    local word unit=/etc/systemd/system/words.service
    printf '#!/bin/sh\nprintf "%%s\\0" "$@" > /root/words\n' > /root/record-words
    chmod 700 /root/record-words
    {
        printf '[Service]\nType=oneshot\nExecStart=/root/record-words \\\n'
        while read -r word; do printf "\t'%s' \\\\\n" "$word"; done < <(sed --quiet 's/^argument //p' /etc/gateway/first-boot/plan)
        printf '\n'
    } > "$unit"
    systemctl daemon-reload
    systemctl start words.service || journalctl --unit words.service --no-pager
    rm "$unit"
    systemctl daemon-reload
    equal "$(hash_of < /root/words)" "$EXPECT_ARGUMENTS"
}

# Of the node's work: at a boot after the first, cloud-init ends before it.
wait_for 300 test -e $status_dir/completed
