import { credentialName, type LiteCluster, pluginsUseCredential } from '@gateway/lite';
import { requireState } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import {
  createCredentialOf,
  findCredentials,
  newCredentialSecret,
  removeCredential,
  tryCredential,
} from '../../lite-clusters/credentials.ts';
import { type CreateLiteClusterStepContext, defineCreateStep } from '../saga.ts';

/** The user's application credential, with which the plugins call the cloud. */
export const createCredential = defineCreateStep<{ credentialId: string }>({
  name: 'credential',
  when: (context) => pluginsUseCredential(requireState(context, 'plan').plugins),
  // Names are unique among the credentials of a user.
  onRepeat: 'rejected',
  async run(context) {
    const { liteClusters, input } = context;
    const cluster = await requireLiteCluster(context);
    // Stored before the call: a later run that adopts the credential needs it.
    const secret = (await liteClusters.readSecret(cluster, 'credentialSecret')) ?? newCredentialSecret();
    await liteClusters.putSecrets(cluster, { credentialSecret: secret });
    const { userId } = cluster;
    const { roles } = input;
    const name = credentialName(cluster);
    return {
      credentialId: await createCredentialOf(context, withKey(context, cluster), {
        userId,
        name,
        secret,
        roles,
      }),
    };
  },
  async settle(context, { credentialId: id }) {
    const cluster = await requireLiteCluster(context);
    const secret = await context.liteClusters.readSecret(cluster, 'credentialSecret');
    await tryCredential(context, withKey(context, cluster), { id, secret });
    return undefined;
  },
  async find(context) {
    const cluster = await context.liteClusters.read(context.clusterId);
    if (cluster === null) return [];
    const ids = await findCredentials(context, cluster);
    return ids.map((credentialId) => ({ credentialId }));
  },
  async undo(context, { credentialId }) {
    const cluster = await context.liteClusters.read(context.clusterId);
    if (cluster !== null) await removeCredential(context, { id: credentialId, userId: cluster.userId });
  },
  leftover: ({ credentialId }) => ({ type: 'application_credential', id: credentialId }),
});

/** The record does not have the key yet. */
function withKey({ state }: CreateLiteClusterStepContext, cluster: LiteCluster): LiteCluster {
  return { ...cluster, keyId: state.keyId ?? null };
}
