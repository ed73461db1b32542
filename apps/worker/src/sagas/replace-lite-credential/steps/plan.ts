import { conflict } from '@gateway/core';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { newCredentialSecret } from '../../lite-clusters/credentials.ts';
import { requireInSecrets } from '../../lite-clusters/plugin-secrets.ts';
import { withApiServer } from '../credential-in-cluster.ts';
import { announce, defineReplacementStep, type ReplaceLiteCredentialState } from '../saga.ts';

/**
 * Checks that the gateway reaches the secrets of the plugins and knows what is in them, and chooses the new
 * secret. It is stored before the credential is created, because a later run that adopts the credential needs
 * it.
 */
export const planReplacement = defineReplacementStep<Pick<ReplaceLiteCredentialState, 'replaced'>>({
  name: 'plan',
  beginUpdate: announce('checking', 'The request is being checked.'),
  async run(context) {
    const { liteClusters } = context;
    const cluster = await requireLiteCluster(context);
    const { credential, status } = cluster;
    if (status !== 'ACTIVE') throw conflict('wrong_state', 'The cluster is not ACTIVE.');
    const secret = await liteClusters.readSecret(cluster, 'credentialSecret');
    if (credential === null || secret === null)
      throw conflict('unsuitable', 'The cluster has no credential.');
    await withApiServer(context, cluster, (api) =>
      requireInSecrets(api, cluster, { id: credential.id, secret }),
    );
    await liteClusters.putSecrets(cluster, { nextCredentialSecret: newCredentialSecret() });
    return { replaced: credential };
  },
});
