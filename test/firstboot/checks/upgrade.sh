# Checks of the upgrades of a control node. OLD, NEW, BROKEN: releases. The power fails after the first boot,
# while NEW starts for the first time, and after the second one.

state=/var/lib/gateway/upgrade
database=/var/lib/rancher/k3s/server/db/state.db
result=$state/result

# upgrade NAME: runs the command of the pod.
upgrade() {
    local words
    mapfile -d '' -t words < <(curl --silent --show-error --fail "http://10.0.2.2/$1")
    "${words[@]}"
}
release() { k3s --version | awk 'NR == 1 { print $3 }'; }
# Copies without any release but the old one are from before the upgrade.
only_release() { equal "$(sort --unique "$1")" "$2"; }
ended_well() { equal "$(head --lines=1 $result)" succeeded; }
upgrade_is_over() { refused systemctl is-enabled gateway-upgrade.service && refused systemctl is-active gateway-upgrade.service; }

case $FIRSTBOOT_BOOT in
    1)
        check installed equal "$(release)" "$OLD"
        upgrade upgrade-new > /root/pod.log 2>&1 < /dev/null &
        wait_for 300 test -e /root/slow-start
        check interrupted sh -c "test -e /root/slow-start && ! test -e $result"
        sync
        ;;
    2)
        wait_for 300 test -e $result
        check continued ended_well
        check upgraded equal "$(release)" "$NEW"
        check running equal "$(cat /run/k3s-release)" "$NEW"
        check copy-is-older only_release $state/before/db/state.db "$OLD"
        wait_for 30 upgrade_is_over
        check service-ended upgrade_is_over
        check repetition-succeeds upgrade upgrade-new
        ;;
    3)
        check not-repeated equal "$(release)" "$NEW"
        output=$(upgrade upgrade-broken 2>&1)
        check failure-ends equal "$?" 1
        check reason equal "$(tail --lines=1 <<< "$output" | cut --delimiter=: --fields=1)" \
            "k3s $BROKEN did not become ready in time, and the release before was put back"
        check release-put-back equal "$(release)" "$NEW"
        check database-put-back refused grep --quiet "$BROKEN" $database
        check k3s-active systemctl is-active k3s
        check no-failed-unit equal "$(systemctl list-units --failed --no-legend --plain)" ''
        ;;
esac
