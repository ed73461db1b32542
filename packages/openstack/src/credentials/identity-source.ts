import type { UpstreamError } from '../errors/index.ts';
import type { Identity } from './identity.ts';

/**
 * Provides the identity for each call of a bound client, so that long work can replace a token that expires.
 */
export interface IdentitySource {
  current(): Identity | Promise<Identity>;
  /** Called after a service rejected the token (401). Returns the identity for the retry, or throws. */
  replace(rejected: Identity, error: UpstreamError): Promise<Identity>;
  /**
   * Called after a service responded with 503. Returns whether the token is no longer valid: most services
   * respond with 503 if the identity service does not validate the token, such as the token of a trust whose
   * trustor has lost the role.
   */
  isUseless?(identity: Identity): Promise<boolean>;
}

export function isIdentitySource(identity: Identity | IdentitySource): identity is IdentitySource {
  return 'replace' in identity;
}

export async function currentIdentity(source: Identity | IdentitySource): Promise<Identity> {
  return isIdentitySource(source) ? source.current() : source;
}

/** The project in which the calls act. */
export function projectOf({ actingForProjectId, projectId }: Identity): string {
  return actingForProjectId ?? projectId;
}
