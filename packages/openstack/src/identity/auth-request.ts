import type { PasscodeCredentials, PasswordCredentials } from '../credentials/identity.ts';

/** The `auth` of a request for a token. */
export function passwordAuth({ username, password, domain, project, trustId }: PasswordCredentials): unknown {
  const user = { name: username, password, domain };
  return { identity: { methods: ['password'], password: { user } }, scope: scopeOf(project, trustId) };
}

export function passcodeAuth({ passcode, project, userId }: Omit<PasscodeCredentials, 'receipt'>): unknown {
  const totp = { user: { id: userId, passcode } };
  return { identity: { methods: ['totp'], totp }, scope: scopeOf(project, undefined) };
}

function scopeOf(project: PasswordCredentials['project'], trustId: string | undefined): unknown {
  if (trustId !== undefined) return { 'OS-TRUST:trust': { id: trustId } };
  if (project === undefined) return undefined;
  if ('id' in project) return { project: { id: project.id } };
  return { project: { name: project.name, domain: project.domain } };
}
