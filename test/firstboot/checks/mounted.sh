# Checks that /workspace consists of a share and the disk.

check cloud-init-done equal "$FIRSTBOOT_STATUS" done
check overlay equal "$(mount_of /workspace FSTYPE)" overlay
check share-readable contains /workspace/lib/README 'library v1'
check user-writes as_user 'echo mine > /workspace/mine'
check user-file-on-disk equal "$(cat $upper/upper/mine)" mine
