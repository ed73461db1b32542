# Checks of a control node whose clock is hours ahead.

check waited-for-clock contains $log ' stage clock'
check k3s-active systemctl is-active k3s
check clock-is-right [ "$(date +%s)" -lt "$RIGHT_BEFORE" ]
