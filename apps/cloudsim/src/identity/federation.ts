import { randomBytes } from 'node:crypto';
import { fixedHexId } from '../common/ids.ts';
import type { IdentityCloud } from './cloud.ts';
import { roleNamed } from './roles.ts';
import { unauthenticated } from './sign-in.ts';
import { type Group, grantKey, type Token, type User } from './state.ts';
import { issueToken } from './tokens.ts';

export const IDENTITY_PROVIDER = 'testidp';
export const PROTOCOL = 'openid';

/** The people whom the identity provider knows, with their groups there. There are no passwords. */
const PEOPLE: Record<string, string[]> = {
  erin: ['staff'],
  frank: ['admins', 'staff'],
  grace: ['visitors'],
};

/** The groups of the cloud for those of the provider, with their role in a project. */
const GROUPS: Record<string, { name: string; project: string; role: string }> = {
  staff: { name: 'sso-staff', project: 'demo', role: 'member' },
  admins: { name: 'sso-admins', project: 'admin', role: 'admin' },
};

/**
 * Issues a token without a project for a person of the identity provider.
 * @throws 401 for a person whom no rule maps to a group
 */
export function signOn(cloud: IdentityCloud, person: string): Token {
  const groups = (PEOPLE[person] ?? []).flatMap((theirs) => mappedGroup(cloud, theirs) ?? []);
  if (groups.length === 0) throw unauthenticated();
  const user = ephemeralUser(cloud, person);
  if (cloud.settings.keepsMappedGroups) for (const { userIds } of groups) userIds.add(user.id);
  const groupIds = groups.map(({ id }) => id);
  const federation = { identityProvider: IDENTITY_PROVIDER, protocol: PROTOCOL, groupIds };
  return issueToken(cloud, { userId: user.id, projectId: null, methods: [PROTOCOL], federation });
}

/** Made with the first sign-on, so that other tests do not see it. */
function mappedGroup({ identity }: IdentityCloud, theirs: string): Group | undefined {
  const mapped = GROUPS[theirs];
  if (mapped === undefined) return undefined;
  const { name, project: projectName, role: roleName } = mapped;
  const id = fixedHexId(`group:${name}`);
  const group = identity.groups.get(id) ?? {
    id,
    name,
    description: '',
    domainId: 'default',
    userIds: new Set<string>(),
  };
  identity.groups.set(id, group);
  const project = [...identity.projects.values()].find((one) => one.name === projectName);
  const role = roleNamed(identity, roleName);
  if (project !== undefined && role !== undefined)
    identity.grants.set(grantKey(project.id, id), new Set([role.id]));
  return group;
}

/** The service stores whoever has signed on, in a domain of the identity provider. */
function ephemeralUser({ identity }: IdentityCloud, person: string): User {
  const domainId = fixedHexId(`domain:${IDENTITY_PROVIDER}`);
  if (!identity.domains.has(domainId)) {
    const description = 'Auto generated federated domain for Identity Provider: testidp';
    identity.domains.set(domainId, { id: domainId, name: domainId, description, enabled: true });
  }
  const id = fixedHexId(`user:${IDENTITY_PROVIDER}:${person}`);
  const user = identity.users.get(id) ?? {
    id,
    name: person,
    domainId,
    password: randomBytes(16).toString('hex'),
    passwordExpiresMs: null,
    options: {},
    email: `${person}@example.test`,
    description: null,
    enabled: true,
    defaultProjectId: null,
  };
  identity.users.set(id, user);
  return user;
}
