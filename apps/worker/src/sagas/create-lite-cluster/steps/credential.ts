import { randomBytes } from 'node:crypto';
import { credentialName, credentialRoles, pluginAccessRules, pluginsUseCredential } from '@gateway/lite';
import { requireState } from '@gateway/saga';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { findCredentials, removeCredential } from '../../lite-clusters/credentials.ts';
import { checkCredential } from '../check-credential.ts';
import { defineCreateStep } from '../saga.ts';

const SECRET_BYTES = 48;

/** The user's application credential, with which the plugins call the cloud. */
export const createCredential = defineCreateStep<{ credentialId: string }>({
  name: 'credential',
  when: (context) => pluginsUseCredential(requireState(context, 'plan').plugins),
  // Names are unique among the credentials of a user.
  onRepeat: 'rejected',
  async run(context) {
    const { liteClusters, config, input } = context;
    const cluster = await requireLiteCluster(context);
    // Stored before the call: a later run that adopts the credential needs it.
    const secret = (await liteClusters.readSecret(cluster, 'credentialSecret')) ?? newSecret();
    await liteClusters.putSecrets(cluster, { credentialSecret: secret });
    const roles = credentialRoles(input.roles, config.identity.adminRole);
    const { id } = await context.undelegatedOwner().identity.applicationCredentials.create(cluster.userId, {
      name: credentialName(cluster),
      secret,
      description: `Plugins of the cluster ${cluster.name}`,
      roles: roles.map((name) => ({ name })),
      ...(config.lite.limitCredentials && {
        access_rules: pluginAccessRules(cluster.plugins, { keyId: context.state.keyId ?? null }),
      }),
    });
    return { credentialId: id };
  },
  async settle(context, { credentialId }) {
    if (context.config.lite.limitCredentials) {
      await checkCredential(context, await requireLiteCluster(context), credentialId);
    }
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

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
