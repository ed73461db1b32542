import { conflict } from '@gateway/core';
import {
  containsCredential,
  credentialHolders,
  floatingNetworkIn,
  type KubernetesApi,
  type LiteCluster,
} from '@gateway/lite';
import type { ApplicationCredentialLogin } from '@gateway/openstack';

/**
 * An upgrade of a cluster to its own release applies the secrets whatever they contain, so the errors name it
 * as the way out.
 *
 * @param missing whether a secret may be missing
 * @throws 409 if a secret of the plugins does not contain the credential
 */
export async function requireInSecrets(
  api: KubernetesApi,
  cluster: LiteCluster,
  credential: ApplicationCredentialLogin,
  missing: 'allowed' | 'refused' = 'refused',
): Promise<void> {
  for (const { name, values } of await readSecrets(api, cluster)) {
    if (values === null ? missing === 'allowed' : containsCredential(values, credential)) continue;
    throw conflict(
      'changed_meanwhile',
      `The secret ${name} of the cluster ${values === null ? 'does not exist' : 'has another credential than that of the cluster'}. ` +
        'Somebody has changed it, so the gateway leaves it as it is. ' +
        `An upgrade of the cluster to its own release, ${cluster.k3sVersion}, writes the credential of the cluster into it.`,
    );
  }
}

/** Whether a secret of the plugins contains one of the credentials. */
export async function areInSecrets(
  api: KubernetesApi,
  cluster: LiteCluster,
  credentials: readonly ApplicationCredentialLogin[],
): Promise<boolean> {
  const secrets = await readSecrets(api, cluster);
  return secrets.some(
    ({ values }) => values !== null && credentials.some((one) => containsCredential(values, one)),
  );
}

/**
 * The network of the floating IPs of services, as the programs of the plugins know it; null for none, and
 * undefined if the secrets do not say.
 */
export async function readFloatingNetwork(
  api: KubernetesApi,
  cluster: LiteCluster,
): Promise<string | null | undefined> {
  const secrets = await readSecrets(api, cluster);
  const ids = secrets.map(({ values }) => (values === null ? undefined : floatingNetworkIn(values)));
  return ids.includes(null) ? null : ids.find((id) => id !== undefined);
}

/** The secrets of the plugins, with their namespace in the name; null for what does not exist. */
function readSecrets(api: KubernetesApi, { plugins }: LiteCluster) {
  const { namespace, secrets } = credentialHolders(plugins);
  return Promise.all(
    secrets.map(async (name) => ({
      name: `${namespace}/${name}`,
      values: await api.readSecret(namespace, name),
    })),
  );
}
