import { stringify } from 'yaml';
import { createAuthority, issueForClient } from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';

/** A configuration file as k3s writes it, of a cluster that does not exist. */
export async function newKubeconfig(server = 'https://127.0.0.1:6443'): Promise<string> {
  const [authority, clients] = await Promise.all([
    createAuthority('server-ca'),
    createAuthority('client-ca'),
  ]);
  const admin = await issueForClient(clients, { name: 'system:admin', organization: 'system:masters' });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return stringify({
    apiVersion: 'v1',
    clusters: [
      { cluster: { 'certificate-authority-data': base64(authority.certificate), server }, name: 'default' },
    ],
    contexts: [{ context: { cluster: 'default', user: 'default' }, name: 'default' }],
    'current-context': 'default',
    kind: 'Config',
    users: [
      {
        name: 'default',
        user: {
          'client-certificate-data': base64(admin.certificate),
          'client-key-data': base64(admin.key),
        },
      },
    ],
  });
}
