# Did the disk really come after it was first looked for?

looked_at=$(date --date "$(grep --max-count=1 'stage upper_disk' $log | cut --delimiter=' ' --fields=1)" +%s)
came_at=$(journalctl --dmesg --output=short-unix --no-pager | grep --max-count=1 'virtio_blk.*\[vdb\]' | cut --delimiter=. --fields=1)
came_later() { echo "looked at $looked_at, came at $came_at"; [ "$came_at" -gt $((looked_at + 10)) ]; }
check disk-came-later came_later
