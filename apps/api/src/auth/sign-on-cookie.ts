import type { Config } from '@gateway/platform';
import { parseCookie, stringifySetCookie } from 'cookie';
import { hostCookie } from './host-cookie.ts';
import { ATTEMPT_SECONDS } from './sign-on.ts';

/** A site that offers a single sign-on has a public URL. */
type PublicConfig = Pick<Config, 'publicEndpoint'>;

/** The sealed attempt in the cookies of a browser. */
export function signOnCookieOf(config: PublicConfig, cookies: string | undefined): string | undefined {
  return parseCookie(cookies ?? '')[cookieOf(config).name];
}

/**
 * The form of the identity service comes from another site, so the cookie has to be sent across sites.
 * Browsers allow that only over TLS. Over plain HTTP, identity service and gateway need the same host name.
 */
export function signOnCookie(config: PublicConfig, attempt: string): string {
  const cookie = cookieOf(config);
  return stringifySetCookie({
    ...cookie,
    value: attempt,
    sameSite: cookie.secure ? 'none' : 'lax',
    // An attempt that is over is removed.
    maxAge: attempt === '' ? 0 : ATTEMPT_SECONDS,
  });
}

function cookieOf({ publicEndpoint }: PublicConfig) {
  return hostCookie('gateway_sign_on', '/api/auth/sso', { publicUrl: publicEndpoint.url });
}
