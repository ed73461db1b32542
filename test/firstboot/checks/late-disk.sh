# Checks that the disk appeared only after the first search for it.

searched_at=$(date --date "$(grep --max-count=1 'stage upper_disk' $log | cut --delimiter=' ' --fields=1)" +%s)
appeared_at=$(journalctl --dmesg --output=short-unix --no-pager | grep --max-count=1 'virtio_blk.*\[vdb\]' | cut --delimiter=. --fields=1)
appeared_later() { echo "searched at $searched_at, appeared at $appeared_at"; [ "$appeared_at" -gt $((searched_at + 10)) ]; }
check disk-appeared-later appeared_later
