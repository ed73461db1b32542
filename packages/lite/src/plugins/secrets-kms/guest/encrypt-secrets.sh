#!/bin/sh
# Makes the API server encrypt secrets with the plugin's key, then encrypts existing secrets. Restores the
# configuration without encryption if the key does not work, because the API server would not start with it.
set -eu
umask 077

config=${ENCRYPTION_CONFIG:-/etc/kubernetes/encryption.yaml}
with_key=${config%.yaml}-kms.yaml
without_key=${config%.yaml}-none.yaml
socket=${KMS_SOCKET:-/run/barbican-kms/kms.sock}
done=${STATE_DIRECTORY:-/var/lib/encrypt-secrets}/done
# The job that has installed the program waits for one of the two files.
failure=${STATE_DIRECTORY:-/var/lib/encrypt-secrets}/failure
# The API server reads its configuration every minute.
attempts=${ENCRYPT_ATTEMPTS:-60}
pause=${ENCRYPT_PAUSE:-5}

kubectl() {
  k3s kubectl --request-timeout=30s "$@"
}

# copy FROM TO: TO appears as a whole, even if the power fails.
copy() {
  cp "$1" "$2.new"
  mv "$2.new" "$2"
}

# Prints the number of encryptions with the key since the API server started.
encryptions() {
  kubectl get --raw /metrics |
    sed -n 's/^apiserver_envelope_encryption_key_id_hash_total{.*provider_name="barbican".*"to_storage"} //p'
}

# Whether a new secret is encrypted.
encrypts() {
  kubectl -n kube-system delete secret encryption-probe --ignore-not-found >/dev/null || return 1
  before=$(encryptions) || return 1
  kubectl -n kube-system create secret generic encryption-probe >/dev/null || return 1
  after=$(encryptions) || return 1
  [ -n "$after" ] && [ "$after" != "$before" ]
}

# Whether the plugin listens and the API server responds.
ready() {
  [ -S "$socket" ] && kubectl get --raw /readyz >/dev/null 2>&1
}

# wait_for CONDITION: disables encryption if the condition never holds.
wait_for() {
  left=$attempts
  until "$1"; do
    left=$((left - 1))
    if [ "$left" -le 0 ]; then
      echo "Secrets cannot be encrypted with the key; encryption stays off." | tee "$failure" >&2
      [ ! -e "$without_key" ] || copy "$without_key" "$config"
      exit 1
    fi
    sleep "$pause"
  done
}

wait_for ready
[ -e "$without_key" ] || copy "$config" "$without_key"
copy "$with_key" "$config"
wait_for encrypts

# A secret that changes in the meantime is rejected, and is encrypted already.
kubectl get secrets --all-namespaces -o json | kubectl replace -f - >/dev/null ||
  kubectl get secrets --all-namespaces -o json | kubectl replace -f - >/dev/null
kubectl -n kube-system delete secret encryption-probe --ignore-not-found >/dev/null
rm -f "$failure"
: >"$done"
echo "The cluster's secrets are encrypted."
