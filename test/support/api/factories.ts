import { randomBytes } from 'node:crypto';
import { fixtureBody } from '../upstream.ts';

/** Somebody with a token for a project, as the identity service knows him. */
export interface TestCaller {
  token: string;
  projectId: string;
  projectName: string;
  userId: string;
  userName: string;
  roles: string[];
  /** ISO 8601, with the fraction that the service gives. */
  expiresAt: string;
  /** The token's audit id, and behind it that of the first of its chain where it was made from another token. */
  auditIds: string[];
}

interface RecordedToken {
  user: { id: string; name: string; domain: { id: string; name: string } };
  project: { id: string; name: string };
  roles: { id: string; name: string }[];
  expires_at: string;
}

const FOUR_HOURS_MS = 4 * 3600 * 1000;

/** The recorded user in the recorded project, with a token that nobody else has. */
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

/** The same person with a further token, made from the first, for another project. */
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

/** What the identity service tells of a token; all else is as recorded. An empty project id: without one. */
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

/** Shaped like the service's tokens, so that a leak is found by looking for it. */
export function newTokenText(): string {
  return `gAAAAAB${randomBytes(48).toString('base64url')}`;
}

function newAuditId(): string {
  return randomBytes(16).toString('base64url');
}

/** That much after now, as the identity service writes it. */
export function expiryIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString().replace(/\d{3}Z$/, '000000Z');
}

/** The least that an instance is created from. */
export function instanceRequest(differences: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'web-1',
    image_id: '0a1b2c3d-0000-4000-8000-000000000001',
    flavor_id: '0a1b2c3d-0000-4000-8000-000000000002',
    ...differences,
  };
}
