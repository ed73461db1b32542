import { randomBytes } from 'node:crypto';
import { fixtureBody } from '../doubles/upstream.ts';

/** The id of a project that the callers are not in. */
export const OTHER_PROJECT = 'f'.repeat(32);

/** A user with a token for a project. */
export interface TestCaller {
  token: string;
  projectId: string;
  projectName: string;
  userId: string;
  userName: string;
  roles: string[];
  /** ISO 8601 with the fraction that the service sends. */
  expiresAt: string;
  /** The token's audit id, followed by the audit id of the first token in the chain when there is one. */
  auditIds: string[];
}

interface RecordedToken {
  user: { id: string; name: string; domain: { id: string; name: string } };
  project: { id: string; name: string };
  roles: { id: string; name: string }[];
  expires_at: string;
}

const FOUR_HOURS_MS = 4 * 3600 * 1000;

/** The recorded user in the recorded project, with a unique token. */
export function newCaller(differences: Partial<TestCaller> = {}): TestCaller {
  const recorded = fixtureBody<RecordedToken>('identity/token-validate', 'token');
  return {
    token: newTokenText(),
    projectId: recorded.project.id,
    projectName: recorded.project.name,
    userId: recorded.user.id,
    userName: recorded.user.name,
    roles: recorded.roles.map(({ name }) => name),
    expiresAt: expiryIn(FOUR_HOURS_MS),
    auditIds: [newAuditId()],
    ...differences,
  };
}

/** The same user with a token for another project, issued from the first token. */
export function inOtherProject(caller: TestCaller, differences: Partial<TestCaller> = {}): TestCaller {
  const id = randomBytes(16).toString('hex');
  return {
    ...caller,
    token: newTokenText(),
    projectId: id,
    projectName: `other-${id.slice(0, 6)}`,
    auditIds: [newAuditId(), ...caller.auditIds.slice(-1)],
    ...differences,
  };
}

/**
 * The identity service's token body. Fields that are not in `caller` are as recorded. An empty project id
 * stands for an unscoped token.
 */
export function tokenBody(caller: TestCaller): object {
  const recorded = fixtureBody<RecordedToken>('identity/token-validate', 'token');
  const { project: recordedProject, roles: _roles, ...rest } = recorded;
  const project = { ...recordedProject, id: caller.projectId, name: caller.projectName };
  return {
    token: {
      ...rest,
      user: { ...recorded.user, id: caller.userId, name: caller.userName },
      expires_at: caller.expiresAt,
      audit_ids: caller.auditIds,
      ...(caller.projectId !== '' && {
        project,
        roles: caller.roles.map((name) => ({ id: randomBytes(16).toString('hex'), name })),
      }),
    },
  };
}

/** The same without the services of these types in the catalog, as of a cloud that does not have them. */
export function tokenBodyWithout(caller: TestCaller, ...types: string[]): object {
  const { token } = tokenBody(caller) as { token: { catalog: { type: string }[] } };
  return { token: { ...token, catalog: token.catalog.filter(({ type }) => !types.includes(type)) } };
}

/** In the format of the service's tokens, so that tests can search for leaked tokens. */
export function newTokenText(): string {
  return `gAAAAAB${randomBytes(48).toString('base64url')}`;
}

function newAuditId(): string {
  return randomBytes(16).toString('base64url');
}

/** The time in `ms` milliseconds, in the format of the identity service. */
export function expiryIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString().replace(/\d{3}Z$/, '000000Z');
}

/** The smallest valid instance request. */
export function instanceRequest(differences: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'web-1',
    image_id: '0a1b2c3d-0000-4000-8000-000000000001',
    flavor_id: '0a1b2c3d-0000-4000-8000-000000000002',
    ...differences,
  };
}
