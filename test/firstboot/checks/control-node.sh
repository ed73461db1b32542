# Checks of a control node. NODE_NAME, TOKEN. EXPECT_ARGUMENTS, EXPECT_CONFIG, EXPECT_MANIFESTS: SHA-256.
# EXPECT_APPLIED: plugins.

printf '%s\n' "$TOKEN" > /root/expected-token
cp /etc/rancher/k3s/agent-token /root/expected-agent-token
chmod 600 /root/expected-token /root/expected-agent-token

check cloud-init-done equal "$FIRSTBOOT_STATUS" done
check completed test -e $status_dir/completed
check status-ready contains $status_dir/status.json '"result":"ready"'
check k3s-active systemctl is-active k3s
check k3s-enabled systemctl is-enabled k3s
wait_for 120 sh -c 'k3s kubectl get nodes | grep --quiet --word-regexp Ready'
check node-ready sh -c 'k3s kubectl get nodes | grep --quiet --word-regexp Ready'
check node-name equal "$(cat $stand_in/node)" "$NODE_NAME"
check arguments contains /etc/systemd/system/k3s.service \
    ' --write-kubeconfig-mode 600 --agent-token-file /etc/rancher/k3s/agent-token --tls-san 203.0.113.9 '
check words-arrive words_arrive
check files-unchanged equal "$(hash_of /etc/kubernetes/cloud.conf)" "$EXPECT_CONFIG"
check manifests-unchanged equal "$(hash_of /opt/k3s/first-manifests.yaml)" "$EXPECT_MANIFESTS"
check manifests-applied equal "$(sed 's#^applied /opt/k3s/\(.*\)-manifests.yaml$#\1#' $stand_in/applied | xargs)" "$EXPECT_APPLIED"
for file in /etc/kubernetes/cloud.conf /opt/k3s/first-manifests.yaml /etc/rancher/k3s/k3s.yaml /etc/rancher/k3s/agent-token \
    /etc/rancher/k3s/registries.yaml; do
    check files-private equal "$(mode_of $file)" '600 root'
done
check report-removed sh -c "cd $status_dir && ! ls final-report.json* access.json /etc/gateway/first-boot/report-token 2> /dev/null | grep ."
wait_for 120 test -e $status_dir/reported-kubeconfig
check kubeconfig-reported sh -c "systemctl is-enabled gateway-certificates.timer && test -e $status_dir/reported-kubeconfig"
check token-nowhere-else nowhere_else /root/expected-token
check agent-token-nowhere-else nowhere_else /root/expected-agent-token
check installed-once equal "$(grep --count '^\[INFO\]  k3s installed' $log)" 1
check pods-kept-from-metadata iptables --table raw --check PREROUTING --destination 169.254.169.254/32 --jump DROP
check later-boots-do-nothing refused systemctl is-enabled gateway-first-boot.service
check nothing-executed refused sh -c 'find / -xdev -name "gateway-was-here*" | grep .'
check no-failed-unit equal "$(systemctl list-units --failed --no-legend --plain)" ''
