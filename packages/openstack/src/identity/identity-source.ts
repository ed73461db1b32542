import type { UpstreamError } from '../errors.ts';
import type { Identity } from './identity.ts';

/**
 * Whose identity the calls of a bound client bring. It is asked before every call, so that a token which ends in the
 * middle of something long can be replaced by another.
 */
export interface IdentitySource {
  current(): Identity | Promise<Identity>;
  /** A service has refused the token (401): gives the identity to repeat the call with, or throws what is told. */
  replace(refused: Identity, refusal: UpstreamError): Promise<Identity>;
}

export function isSource(identity: Identity | IdentitySource): identity is IdentitySource {
  return 'replace' in identity;
}
