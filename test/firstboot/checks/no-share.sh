# Checks that a missing share is reported with the reason, and the machine stays reachable.

status=/var/lib/gateway/first-boot/status.json

check cloud-init-error equal "$FIRSTBOOT_STATUS" error
check status-failed contains $status '"result":"failed","stage":"layers"'
check reason-in-status contains $status "$EXPECT_REASON"
check reason-in-log contains $log "$EXPECT_REASON"
check reason-for-cloud-init contains /var/log/cloud-init-output.log 'FAILED at stage layers'
check no-workspace refused mountpoint /workspace
check ssh-answers ssh_answers
check disk-untouched equal "$(blkid --probe /dev/vdb; echo $?)" 2
cat $status
