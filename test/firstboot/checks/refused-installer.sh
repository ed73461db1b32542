# Checks of a node whose install script has another checksum than the configured one.

check cloud-init-error equal "$FIRSTBOOT_STATUS" error
check status-failed contains $status_dir/status.json '"result":"failed","stage":"download"'
check reason-in-status contains $status_dir/status.json 'the install script has the SHA-256'
check reason-in-log contains $log 'the install script has the SHA-256'
check nothing-installed refused sh -c 'ls /usr/local/bin/k3s /etc/systemd/system/k3s.service | grep .'
check ssh-answers ssh_answers
