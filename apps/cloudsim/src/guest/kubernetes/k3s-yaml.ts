import { stringify } from 'yaml';
import type { KubernetesCluster } from './state.ts';

/** The content of `/etc/rancher/k3s/k3s.yaml`, which names the machine's own loopback address. */
export function k3sYaml({ serverAuthority, admin, clientAuthority, port }: KubernetesCluster): string {
  const cluster = {
    'certificate-authority-data': base64(serverAuthority.certificate),
    server: `https://127.0.0.1:${port}`,
  };
  const user = {
    'client-certificate-data': base64(admin.certificate + clientAuthority.certificate),
    'client-key-data': base64(admin.key),
  };
  const file = {
    apiVersion: 'v1',
    clusters: [{ cluster, name: 'default' }],
    contexts: [{ context: { cluster: 'default', user: 'default' }, name: 'default' }],
    'current-context': 'default',
    kind: 'Config',
    users: [{ name: 'default', user }],
  };
  return stringify(file, { lineWidth: 0 });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
