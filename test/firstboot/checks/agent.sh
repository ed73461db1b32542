# Checks of an agent. NODE_NAME, TOKEN, SERVER_URL. EXPECT_ARGUMENTS: SHA-256.

printf '%s\n' "$TOKEN" > /root/expected-token
chmod 600 /root/expected-token
environment=/etc/systemd/system/k3s-agent.service.env

check cloud-init-done equal "$FIRSTBOOT_STATUS" done
check completed test -e $status_dir/completed
check status-ready contains $status_dir/status.json '"result":"ready"'
check agent-active systemctl is-active k3s-agent
check agent-enabled systemctl is-enabled k3s-agent
check agent-mode contains /etc/systemd/system/k3s-agent.service '/usr/local/bin/k3s agent --node-name '
check node-name equal "$(cat $stand_in/node)" "$NODE_NAME"
check words-arrive words_arrive
check server-url contains $environment "K3S_URL=$SERVER_URL"
check token-file contains $environment 'K3S_TOKEN_FILE=/etc/gateway/first-boot/join-token'
check token-is-the-one grep --quiet --fixed-strings --line-regexp --file=/root/expected-token /etc/gateway/first-boot/join-token
check files-private equal "$(mode_of /etc/gateway/first-boot/join-token)" '600 root'
check token-nowhere-else nowhere_else /root/expected-token
check pods-kept-from-metadata iptables --table raw --check PREROUTING --destination 169.254.169.254/32 --jump DROP
check installed-once equal "$(grep --count '^\[INFO\]  k3s-agent installed' $log)" 1
check nothing-executed refused sh -c 'find / -xdev -name "gateway-was-here*" | grep .'
check no-failed-unit equal "$(systemctl list-units --failed --no-legend --plain)" ''
