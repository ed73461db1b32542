import type { UpstreamError } from '../errors/index.ts';
import type { Identity } from './identity.ts';

/**
 * Provides the identity for each call of a bound client, so that a token that expires during long work can be replaced.
 */
export interface IdentitySource {
  current(): Identity | Promise<Identity>;
  /** Called after a service rejected the token (401). Returns the identity for the retry, or throws. */
  replace(rejected: Identity, error: UpstreamError): Promise<Identity>;
  /**
   * Called after a service said that it is unavailable (503): most services say so of a token that the identity service
   * refuses to judge, as that of a trust whose user has lost the role. Whether the token has become useless.
   */
  isUseless?(identity: Identity): Promise<boolean>;
}

export function isIdentitySource(identity: Identity | IdentitySource): identity is IdentitySource {
  return 'replace' in identity;
}
