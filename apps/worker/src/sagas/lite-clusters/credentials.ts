import { randomBytes } from 'node:crypto';
import {
  credentialName,
  credentialRoles,
  isCredentialMakerName,
  isPluginAccessRule,
  type LiteCluster,
  pluginAccessRules,
} from '@gateway/lite';
import {
  type ApplicationCredentialLogin,
  type BoundClient,
  nullIfNotFound,
  UpstreamError,
} from '@gateway/openstack';
import { isAccessLost } from '../../saga/index.ts';
import { checkCredential } from './check-credential.ts';
import type { LiteClusterContext } from './context.ts';

type Rights = Pick<LiteClusterContext, 'service' | 'undelegatedOwner'>;

/** The service's answer for a rule that is in use, and to everyone but the rules' user. */
const REFUSED = 403;

const SECRET_BYTES = 48;

export function newCredentialSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

interface NewCredential {
  userId: string;
  name: string;
  secret: string;
  /** All roles of the user in the project. */
  roles: readonly string[];
}

/** Creates an application credential for the plugins of a cluster. Returns its id. */
export async function createCredentialOf(
  { config, undelegatedOwner }: Pick<LiteClusterContext, 'config' | 'undelegatedOwner'>,
  { name: clusterName, plugins, keyId }: Pick<LiteCluster, 'name' | 'plugins' | 'keyId'>,
  { userId, name, secret, roles }: NewCredential,
): Promise<string> {
  const { id } = await undelegatedOwner().identity.applicationCredentials.create(userId, {
    name,
    secret,
    description: `Plugins of the cluster ${clusterName}`,
    roles: credentialRoles(roles, config.identity.adminRole).map((role) => ({ name: role })),
    ...(config.lite.limitCredentials && { access_rules: pluginAccessRules(plugins, { keyId }) }),
  });
  return id;
}

/** Tries a new credential on the services that the plugins need, if it has access rules. */
export async function tryCredential(
  context: Pick<LiteClusterContext, 'config' | 'logger' | 'logInWith'>,
  cluster: Pick<LiteCluster, 'plugins' | 'keyId'>,
  { id, secret }: { id: string; secret: string | null },
): Promise<void> {
  if (!context.config.lite.limitCredentials) return;
  if (secret === null) throw new Error('The secret of the credential is missing.');
  const credential: ApplicationCredentialLogin = { id, secret };
  await checkCredential(context, cluster, credential);
}

/** The ids of the user's application credentials of this name. */
export async function findCredentials(
  rights: Rights,
  cluster: LiteCluster,
  { userId, name }: { userId: string; name: string } = {
    userId: cluster.userId,
    name: credentialName(cluster),
  },
): Promise<string[]> {
  const found = await asOwnerOrService(rights, ({ identity }) =>
    identity.applicationCredentials.listByName(userId, name),
  );
  return found.map(({ id }) => id);
}

/** All credentials that jobs have made for the plugins of the cluster as this user. */
export async function findClusterCredentials(
  rights: Rights,
  cluster: LiteCluster,
  userId: string,
): Promise<NonNullable<LiteCluster['credential']>[]> {
  const name = credentialName(cluster);
  const found = await asOwnerOrService(rights, ({ identity }) =>
    nullIfNotFound(identity.applicationCredentials.list(userId)),
  );
  return (found ?? [])
    .filter((one) => one.name === name || one.name.startsWith(`${name}-`))
    .filter((one) => !isCredentialMakerName(one.name))
    .map(({ id }) => ({ id, userId }));
}

export async function removeCredential(
  rights: Rights,
  { id, userId }: NonNullable<LiteCluster['credential']>,
): Promise<void> {
  await asOwnerOrService(rights, ({ identity }) =>
    nullIfNotFound(identity.applicationCredentials.remove(userId, id)),
  );
}

/**
 * Removes the access rules of clusters that no credential of the user has any more. The identity service
 * keeps rules when it deletes their credential, and refuses to delete a rule that is in use. It also fails to
 * create a credential if a rule disappears meanwhile, so nothing is removed while a cluster of the user is
 * being created. A job of another member removes nothing either. A later deletion by the user removes what
 * stays.
 */
export async function removeUnusedAccessRules(
  { logger, undelegatedOwner }: Pick<LiteClusterContext, 'logger' | 'undelegatedOwner'>,
  userId: string,
): Promise<void> {
  try {
    const { accessRules, applicationCredentials } = undelegatedOwner().identity;
    const rules = (await accessRules.list(userId)).filter(isPluginAccessRule);
    if (rules.length === 0) return;
    const credentials = await applicationCredentials.list(userId);
    if (credentials.some(({ name }) => isCredentialMakerName(name))) return;
    const used = new Set(credentials.flatMap(({ access_rules }) => access_rules?.map(({ id }) => id) ?? []));
    for (const { id } of rules.filter((rule) => !used.has(rule.id))) {
      await nullIfNotFound(accessRules.remove(userId, id)).catch((error: unknown) => {
        if (!isRefused(error)) throw error;
      });
    }
  } catch (error) {
    if (!isRefused(error)) throw error;
    logger.info('The access rules of a deleted cluster stay: only their user may remove them', { error });
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof UpstreamError && error.upstreamStatus === REFUSED;
}

/**
 * Only its user and administrators can see and remove a credential, and the user's delegation is not enough.
 * If the job belongs to another member, or its user's token has expired, the gateway's own user removes the
 * credential.
 */
async function asOwnerOrService<T>(
  { undelegatedOwner, service }: Rights,
  call: (client: BoundClient) => Promise<T>,
): Promise<T> {
  try {
    return await call(undelegatedOwner());
  } catch (error) {
    if (!isRefused(error) && !isAccessLost(error)) throw error;
    const administrator = await service();
    if (administrator === null) throw error;
    return call(administrator);
  }
}
