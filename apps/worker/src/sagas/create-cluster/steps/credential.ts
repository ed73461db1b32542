import { randomBytes } from 'node:crypto';
import { GatewayError } from '@gateway/core';
import { credentialName, pluginAccessRules } from '@gateway/lite';
import { UpstreamError } from '@gateway/openstack';
import { requireState } from '@gateway/saga';
import { requireCluster } from '../../clusters/context.ts';
import { findCredentials, removeCredential } from '../../clusters/credentials.ts';
import { pluginsUseCredential } from '../../clusters/plugins.ts';
import { checkCredential } from '../check-credential.ts';
import { type CreateClusterStepContext, defineCreateStep } from '../saga.ts';

const SECRET_BYTES = 48;

/** The application credential of the person, with which the plugins call the cloud. */
export const createCredential = defineCreateStep<{ credentialId: string }>({
  name: 'credential',
  when: (context) => pluginsUseCredential(requireState(context, 'plan').plugins),
  // Names are unique among the credentials of a user.
  rejectsDuplicates: true,
  async run(context) {
    const { clusters, config } = context;
    const cluster = await requireCluster(context);
    // Stored before the call: a later run that adopts the credential needs it.
    const secret = (await clusters.readSecret(cluster, 'credentialSecret')) ?? newSecret();
    await clusters.putSecrets(cluster, { credentialSecret: secret });
    const roles = rolesOf(context);
    try {
      const { id } = await context.person().identity.applicationCredentials.create(cluster.userId, {
        name: credentialName(cluster),
        secret,
        description: `Plugins of the cluster ${cluster.name}`,
        roles: roles.map((name) => ({ name })),
        ...(config.lite.limitCredentials && {
          access_rules: pluginAccessRules(cluster.plugins, { keyId: context.state.keyId ?? null }),
        }),
      });
      return { credentialId: id };
    } catch (error) {
      throw explained(error);
    }
  },
  async settle(context, { credentialId }) {
    if (context.config.lite.limitCredentials) {
      await checkCredential(context, await requireCluster(context), credentialId);
    }
    return undefined;
  },
  async find(context) {
    const cluster = await context.clusters.read(context.clusterId);
    if (cluster === null) return [];
    const ids = await findCredentials(context, cluster);
    return ids.map((credentialId) => ({ credentialId }));
  },
  async undo(context, { credentialId }) {
    const cluster = await context.clusters.read(context.clusterId);
    if (cluster !== null) await removeCredential(context, { id: credentialId, userId: cluster.userId });
  },
  leftover: ({ credentialId }) => ({ type: 'application_credential', id: credentialId }),
});

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The roles of the person without the administrator's: a node must never hold those rights. */
function rolesOf({ config, input }: CreateClusterStepContext): string[] {
  const roles = input.roles.filter((role) => role !== config.identity.adminRole);
  if (roles.length > 0) return roles;
  throw new GatewayError(
    403,
    'forbidden',
    'The plugins of a cluster work with your roles in the project, without the administrator role: you have no other role.',
  );
}

function explained(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== 403) return error;
  return new GatewayError(
    403,
    'forbidden',
    'The plugins of a cluster need an application credential, which this token may not create. Log in with a password and try again.',
    { cause: error, upstream: error.upstream },
  );
}
