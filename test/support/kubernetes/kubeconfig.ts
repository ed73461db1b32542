import { stringify } from 'yaml';
import {
  type CertifiedKey,
  createAuthority,
  issueForClient,
} from '../../../apps/cloudsim/src/guest/kubernetes/authority.ts';

const DAY_MS = 86_400_000;

/** The authorities of one cluster: those of its API server and of its clients. */
export interface ClusterAuthorities {
  server: CertifiedKey;
  client: CertifiedKey;
}

interface KubeconfigOptions {
  server?: string;
  /** Common name of the client certificate. */
  user?: string;
  /** When the client certificate ends, in milliseconds from now. Defaults to a year. */
  endsInMs?: number;
}

export async function newAuthorities(): Promise<ClusterAuthorities> {
  const [server, client] = await Promise.all([createAuthority('server-ca'), createAuthority('client-ca')]);
  return { server, client };
}

/** A configuration file as k3s writes it, of a cluster that does not exist. */
export async function newKubeconfig(server = 'https://127.0.0.1:6443'): Promise<string> {
  return kubeconfigOf(await newAuthorities(), { server });
}

/** The same of a cluster with these authorities, with a new client certificate. */
export async function kubeconfigOf(
  authorities: ClusterAuthorities,
  {
    server = 'https://127.0.0.1:6443',
    user = 'system:admin',
    endsInMs = 365 * DAY_MS,
  }: KubeconfigOptions = {},
): Promise<string> {
  const notAfter = new Date(Date.now() + endsInMs);
  const validity = { notBefore: new Date(notAfter.getTime() - 365 * DAY_MS), notAfter };
  const subject = { name: user, organization: 'system:masters' };
  const admin = await issueForClient(authorities.client, subject, validity);
  return stringify({
    apiVersion: 'v1',
    clusters: [
      {
        cluster: { 'certificate-authority-data': base64(authorities.server.certificate), server },
        name: 'default',
      },
    ],
    contexts: [{ context: { cluster: 'default', user: 'default' }, name: 'default' }],
    'current-context': 'default',
    kind: 'Config',
    users: [
      {
        name: 'default',
        user: {
          'client-certificate-data': base64(admin.certificate + authorities.client.certificate),
          'client-key-data': base64(admin.key),
        },
      },
    ],
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
