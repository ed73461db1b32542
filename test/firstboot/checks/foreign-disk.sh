# Checks that a second disk that is not blank is rejected and unchanged. The machine booted with a partitioned
# disk; other contents are written and tried afterwards. EXPECT_DISK: checksum of the partitioned disk.

disk=/dev/vdb

look() { sha256sum < "$disk" | cut --characters 1-64; }
refuses() { refused timeout 300 /usr/local/sbin/gateway-first-boot; }
says_why() {
    contains "$log" ' contains something other than a usable file system: refused' &&
        contains /var/lib/gateway/first-boot/status.json '"result":"failed","stage":"upper_disk"' &&
        contains /var/lib/gateway/first-boot/status.json ' contains something other than a usable file system' &&
        contains /var/log/cloud-init-output.log 'FAILED at stage upper_disk'
}

check cloud-init-error equal "$FIRSTBOOT_STATUS" error
check says-why says_why
check ssh-answers ssh_answers
check no-workspace refused mountpoint /workspace
check never-formatted refused grep --quiet '^formatting ' "$log"
check partitions-unchanged equal "$(look)" "$EXPECT_DISK"

# begin_with OFFSET: writes standard input to the offset of an otherwise empty disk.
begin_with() {
    dd if=/dev/zero of="$disk" bs=1M count=4 conv=notrunc status=none
    dd of="$disk" bs=1 seek="$1" conv=notrunc status=none
    udevadm settle --timeout=30
}
type_of_disk() { blkid --probe --output value --match-tag TYPE "$disk"; }
tried() {
    local before
    before=$(look)
    check "$1-refused" refuses
    check "$1-unchanged" equal "$(look)" "$before"
}

# The signatures that mkswap, pvcreate and cryptsetup write.
begin_with 0 < /dev/null
mkswap "$disk" > /dev/null
check swap-is-known equal "$(type_of_disk)" swap
tried swap

python3 -c '
import struct, sys
crc = 0xf597a6cf
body = struct.pack("<I", 32) + b"LVM2 001" + b"a" * 32 + bytes(448)
for byte in body:
    crc ^= byte
    for _ in range(8):
        crc = (crc >> 1) ^ (0xedb88320 if crc & 1 else 0)
sys.stdout.buffer.write(b"LABELONE" + struct.pack("<QI", 1, crc) + body)' | begin_with 512
check lvm-is-known equal "$(type_of_disk)" LVM2_member
tried lvm

printf 'LUKS\272\276\0\1' | begin_with 0
check luks-is-known equal "$(type_of_disk)" crypto_LUKS
tried luks
