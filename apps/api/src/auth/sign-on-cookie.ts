import type { Config } from '@gateway/config';
import { parseCookie, stringifySetCookie } from 'cookie';
import { ATTEMPT_SECONDS } from './sign-on-attempts.ts';

const NAME = 'gateway_sign_on';
const PATH = '/api/auth/sso';

/** The sealed attempt in the cookies of a browser. */
export function signOnCookieOf(cookies: string | undefined): string | undefined {
  return parseCookie(cookies ?? '')[NAME];
}

/**
 * The form of the identity service comes from another site, so the cookie has to be sent across sites.
 * Browsers allow that only over TLS. Over plain HTTP, identity service and gateway need the same host name.
 */
export function signOnCookie({ publicEndpoint }: Pick<Config, 'publicEndpoint'>, attempt: string): string {
  const isTls = publicEndpoint.url?.startsWith('https:') ?? false;
  return stringifySetCookie({
    name: NAME,
    value: attempt,
    httpOnly: true,
    sameSite: isTls ? 'none' : 'lax',
    secure: isTls,
    path: PATH,
    // An attempt that is over is removed.
    maxAge: attempt === '' ? 0 : ATTEMPT_SECONDS,
  });
}
