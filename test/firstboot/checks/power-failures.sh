# Checks that the machine has lost power at each of the three points.

check power-failures equal "$(cd /root && echo power-failure-*)" 'power-failure-install power-failure-plugin power-failure-report'
