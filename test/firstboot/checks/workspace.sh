# Checks that /workspace consists of the share and the second disk, and keeps changes.
# EXPECT_TYPE, EXPECT_SOURCE: of the share. EARLIER=1: an earlier machine has written to the disk.

wait_for 180 mountpoint /workspace

check cloud-init-done equal "$FIRSTBOOT_STATUS" done
check overlay equal "$(mount_of /workspace FSTYPE)" overlay
check overlay-layers equal "$(mount_of /workspace OPTIONS | grep -oE 'lowerdir=[^,]*|upperdir=[^,]*' | xargs)" \
    "lowerdir=$layers/1 upperdir=$upper/upper"
check share-below equal "$(mount_of $layers/1 FSTYPE,SOURCE | sed 's/^nfs4/nfs/' | xargs)" "$EXPECT_TYPE $EXPECT_SOURCE"
check disk-above equal "$(mount_of $upper SOURCE,FSTYPE | xargs)" '/dev/vdb ext4'

check share-readable contains /workspace/lib/README 'library v1'
check share-read-only refused touch $layers/1/forbidden
check user-cannot-fill-search-paths refused as_user 'touch /workspace/python-packages/planted.py'
check program-runs equal "$(as_user hello)" 'hello from the library'
check module-imports equal "$(as_user 'python3 -c "import layered; print(layered.source)"')" 'the library'
check module-imports-in-service equal "$(systemd-run --quiet --pipe --wait --uid=debian \
    --property=EnvironmentFile=/etc/gateway/workspace.env --property=RequiresMountsFor=/workspace \
    /usr/bin/python3 -c 'import layered; print(layered.source)')" 'the library'
check services-see-no-path services_see_no_path

if [ "$FIRSTBOOT_BOOT" = 1 ] && [ -z "${EARLIER-}" ]; then
    check user-writes as_user 'echo mine >> /workspace/mine && mkdir /workspace/project'
    check root-changes sh -c 'echo changed >> /workspace/lib/README'
    check root-removes rm /workspace/lib/unwanted
    sync
fi
check user-file-shows equal "$(as_user 'cat /workspace/mine')" mine
check user-file-on-disk equal "$(cat $upper/upper/mine)" mine
check user-file-not-in-share test ! -e $layers/1/mine
check change-shows contains /workspace/lib/README changed
check change-not-in-share refused grep --quiet changed $layers/1/lib/README
check removal-shows test ! -e /workspace/lib/unwanted
check removal-not-in-share test -e $layers/1/lib/unwanted
check formatted-at-most-once equal "$(grep --count '^formatting ' $log)" "${EXPECT_FORMATTED-1}"
check no-failed-unit equal "$(systemctl list-units --failed --no-legend --plain)" ''
check status-ready contains /var/lib/gateway/first-boot/status.json '"result":"ready"'

if [ "$FIRSTBOOT_BOOT" = 2 ]; then
    check unmounted-before-network unmounted_before_network
    check shutdown-not-held-up nothing_timed_out
fi
