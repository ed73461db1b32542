# Checks that a library is mounted above its dependency.

wait_for 180 mountpoint /workspace

check cloud-init-done equal "$FIRSTBOOT_STATUS" done
check layer-order equal "$(mount_of /workspace OPTIONS | grep -o 'lowerdir=[^,]*')" "lowerdir=$layers/2:$layers/1"
check base-lowest equal "$(mount_of $layers/1 SOURCE)" 10.0.2.2:/base
check specific-above equal "$(mount_of $layers/2 SOURCE)" 10.0.2.2:/specific
check common-file-of-specific equal "$(cat /workspace/lib/common)" specific
check own-files-of-both equal "$(cat /workspace/lib/of-base /workspace/lib/of-specific | xargs)" 'base specific'
check module-of-specific equal "$(as_user 'python3 -c "import common; print(common.source)"')" specific
check modules-of-both equal "$(as_user 'python3 -c "import of_base, of_specific; print(of_base.source, of_specific.source)"')" 'base specific'
