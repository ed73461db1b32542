# Checks of a machine with a config drive in a network without DHCP. EXPECT_ID.

check from-config-drive sh -c 'cloud-id --json | grep --quiet configdrive || grep --quiet ConfigDrive /run/cloud-init/result.json'
check instance-id equal "$(cat /var/lib/cloud/data/instance-id)" "$EXPECT_ID"
check fixed-address sh -c 'ip -4 address | grep --quiet "10\.0\.2\.99/24"'
check disk-is-scsi sh -c 'grep --quiet upper /proc/mounts && grep "/var/lib/gateway/upper " /proc/mounts | grep --quiet ^/dev/sd'
