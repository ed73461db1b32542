#!/bin/bash
# Keeps the certificates of this node valid, and on the control node reports the new configuration file to the
# gateway. A timer runs it every day. Its output is in the journal.
set -euo pipefail

library=/usr/local/lib/gateway
. "$library/report.sh"
. "$library/programs.sh"
. "$library/environment.sh"
. "$library/k3s.sh"

# k3s issues certificates for a year, and renews one when it starts within 90 days of its end, in recent
# versions 120.
renewal_seconds=$((60 * 86400))
k3s_dir=/var/lib/rancher/k3s
restarted=$status_dir/restarted-for-certificates
webhook_certificate=$status_dir/webhook-certificate

# Those of authorities are valid for ten years, and k3s does not renew them.
ends_soon() {
    local file
    for file in "$k3s_dir"/server/tls/*.crt "$k3s_dir"/agent/*.crt; do
        case $file in *-ca.crt | *-ca.nochain.crt) continue ;; esac
        if ! openssl x509 -noout -in "$file" 2> /dev/null; then continue; fi
        if openssl x509 -noout -checkend "$renewal_seconds" -in "$file" > /dev/null; then continue; fi
        printf 'the certificate %s ends soon, or has ended\n' "$file"
        return
    done
    return 1
}

# renew_certificates UNIT: restarts k3s, which leaves pods running. At most once a week, because a certificate
# that k3s no longer uses would be a reason for ever.
renew_certificates() {
    # A service that is starting renews by itself. An agent cannot start without its control node.
    retry 600 systemctl is-active --quiet "$1" || return 0
    if ! ends_soon; then return; fi
    if [ -n "$(find "$restarted" -mtime -7 2> /dev/null)" ]; then
        printf '%s was restarted in the last week, but the certificate was not renewed\n' "$1"
        return
    fi
    touch "$restarted"
    sync --file-system "$status_dir"
    timeout 900 systemctl restart "$1"
    printf '%s was restarted\n' "$1"
}

# The webhook for tokens of the identity service serves with the kubelet's certificate, which it reads once.
restart_webhook() {
    local current
    if ! values plugin | grep --quiet --line-regexp identity_auth; then return; fi
    current=$(sha256sum < "$k3s_dir/agent/serving-kubelet.crt")
    if [ "$current" = "$(cat "$webhook_certificate" 2> /dev/null)" ]; then return; fi
    if timeout 60 k3s kubectl --namespace kube-system rollout restart daemonset k8s-keystone-auth < /dev/null; then
        printf '%s\n' "$current" > "$webhook_certificate"
    fi
}

# The first-boot work has not ended, or has failed.
if [ ! -e "$completed" ]; then exit; fi
require_command openssl openssl openssl
if [ "$(values task)" = agent ]; then
    renew_certificates k3s-agent.service
    exit
fi
renew_certificates k3s.service
restart_webhook
. "$library/kubeconfig-report.sh"
report_kubeconfig
