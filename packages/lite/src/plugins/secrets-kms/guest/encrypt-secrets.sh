#!/bin/sh
# Has the API server encrypt secrets with the plugin's key, then encrypts those that exist. Puts the configuration
# without encryption back if the key does not work, since the API server would not start with it.
set -eu
umask 077

config=${ENCRYPTION_CONFIG:-/etc/kubernetes/encryption.yaml}
with_key=${config%.yaml}-kms.yaml
without_key=${config%.yaml}-none.yaml
done=${STATE_DIRECTORY:-/var/lib/encrypt-secrets}/done
# The API server reads its configuration every minute.
attempts=${ENCRYPT_ATTEMPTS:-60}

kubectl() {
  k3s kubectl --request-timeout=30s "$@"
}

use() {
  cp "$1" "$config.new"
  mv "$config.new" "$config"
}

# Whether a new secret is encrypted.
encrypts() {
  kubectl -n kube-system delete secret encryption-probe --ignore-not-found >/dev/null &&
    kubectl -n kube-system create secret generic encryption-probe >/dev/null &&
    kubectl get --raw /metrics |
    grep -q '^apiserver_envelope_encryption_key_id_hash_total{.*provider_name="barbican".*transformation_type="to_storage"'
}

until kubectl get --raw /readyz >/dev/null 2>&1; do sleep 5; done

[ -e "$without_key" ] || cp "$config" "$without_key"
use "$with_key"
until encrypts; do
  attempts=$((attempts - 1))
  if [ "$attempts" -le 0 ]; then
    echo "The API server does not encrypt secrets with the key; encryption stays off." >&2
    use "$without_key"
    exit 1
  fi
  sleep 5
done

# A secret that changes meanwhile is refused, and is encrypted already.
kubectl get secrets --all-namespaces -o json | kubectl replace -f - >/dev/null ||
  kubectl get secrets --all-namespaces -o json | kubectl replace -f - >/dev/null
kubectl -n kube-system delete secret encryption-probe --ignore-not-found >/dev/null
: >"$done"
echo "The cluster's secrets are encrypted."
