# Checks that the machine installed its libraries on the share, and mounts it read-only.

wait_for 180 mountpoint /workspace

check cloud-init-done equal "$FIRSTBOOT_STATUS" done
check overlay equal "$(mount_of /workspace FSTYPE)" overlay
check share-below equal "$(mount_of $layers/1 SOURCE)" 10.0.2.2:/export
check share-serves-read-only contains <(mount_of $layers/1 OPTIONS | cut --characters 1-3) 'ro,'
check share-read-only refused touch $layers/1/forbidden
check no-writable-mount-left refused mountpoint /var/lib/gateway/install/1
check installed-on-share contains $layers/1/python-packages/tiny_library.py 'tiny library'
check not-installed-on-disk test ! -e $upper/upper/python-packages/tiny_library.py
check module-imports equal "$(as_user 'python3 -c "import tiny_library; print(tiny_library.greeting())"')" 'a tiny library'
check program-runs equal "$(as_user tiny-library)" 'a tiny library'
if [ "$FIRSTBOOT_BOOT" = 1 ]; then check user-writes as_user 'echo mine > /workspace/mine'; fi
check user-file-shows equal "$(as_user 'cat /workspace/mine')" mine
check no-failed-unit equal "$(systemctl list-units --failed --no-legend --plain)" ''
