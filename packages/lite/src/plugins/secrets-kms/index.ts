import type { NodeFile } from '../../first-boot/plan.ts';
import { requests } from '../access-request.ts';
import { guestFile } from '../guest-file.ts';
import { manifests } from '../manifests.ts';
import type { Plugin } from '../plugin.ts';

const units = '/etc/systemd/system';
const encryptionPath = '/etc/kubernetes/encryption.yaml';

const files: readonly NodeFile[] = [
  // The API server starts without encryption the first time, because the plugin's program comes in a
  // container image. `encrypt-secrets` then replaces the first file with the second.
  file('encryption.yaml', encryptionPath, '0600'),
  file('encryption-kms.yaml', '/etc/kubernetes/encryption-kms.yaml', '0600'),
  file('barbican-kms.service', `${units}/barbican-kms.service`),
  file('barbican-kms.path', `${units}/barbican-kms.path`),
  file('k3s-drop-in.conf', `${units}/k3s.service.d/barbican-kms.conf`),
  file('encrypt-secrets.service', `${units}/encrypt-secrets.service`),
  file('encrypt-secrets.sh', '/usr/local/lib/gateway/encrypt-secrets', '0755'),
];

function file(name: string, path: string, mode: NodeFile['mode'] = '0644'): NodeFile {
  return guestFile('secrets-kms', name, path, mode);
}

/**
 * Encrypts the cluster's secrets with a key of the key manager. The plugin is a service of the control node
 * that starts before k3s. As a pod it would work only until the machine reboots: k3s starts pods once its API
 * server is ready, and an API server with this encryption is ready only when the plugin responds. A job in
 * the cluster copies the program from its image, which the kubelet pulls, so mirrors of registries apply.
 *
 * A new version of the plugin does not reach existing clusters. Secrets of the first minutes are in plain
 * text until `encrypt-secrets` rewrites them.
 */
export const secretsKms: Plugin = {
  requires: ['keyManager'],
  requests: ({ keyId }) =>
    keyId === null
      ? []
      : // The check of the credential reads the key's record, because it needs no payload.
        requests('keyManager', 'GET', `/secrets/${keyId}`, `/secrets/${keyId}/payload`),
  contribute: (settings) => {
    if (settings.keyId === null) throw new Error('The plugin secrets_kms needs the id of a key.');
    return {
      files: [...files],
      serverArguments: [
        `--kube-apiserver-arg=encryption-provider-config=${encryptionPath}`,
        '--kube-apiserver-arg=encryption-provider-config-automatic-reload=true',
      ],
      manifests: manifests('secrets-kms', settings),
      readsCloudConf: true,
    };
  },
};
