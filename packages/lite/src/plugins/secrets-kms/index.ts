import { readFileSync } from 'node:fs';
import { requests } from '../access-request.ts';
import type { NodeFile, Plugin } from '../plugin.ts';
import { encryptionFiles, encryptionPath } from './encryption-files.ts';
import { installation } from './installation.ts';

const units = '/etc/systemd/system';

const services: readonly NodeFile[] = [
  guestFile('barbican-kms.service', `${units}/barbican-kms.service`),
  guestFile('barbican-kms.path', `${units}/barbican-kms.path`),
  guestFile('k3s-drop-in.conf', `${units}/k3s.service.d/barbican-kms.conf`),
  guestFile('encrypt-secrets.service', `${units}/encrypt-secrets.service`),
  guestFile('encrypt-secrets.sh', '/usr/local/lib/gateway/encrypt-secrets', '0755'),
];

function guestFile(name: string, path: string, mode: NodeFile['mode'] = '0644'): NodeFile {
  return { path, mode, content: readFileSync(new URL(`./guest/${name}`, import.meta.url), 'utf8') };
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
  contribute: ({ keyId, k3sVersion }) => {
    if (keyId === null) throw new Error('The plugin secrets_kms needs the id of a key.');
    return {
      files: [...encryptionFiles, ...services],
      serverArguments: [
        `--kube-apiserver-arg=encryption-provider-config=${encryptionPath}`,
        '--kube-apiserver-arg=encryption-provider-config-automatic-reload=true',
      ],
      manifests: installation(k3sVersion),
      readsCloudConf: true,
    };
  },
};
