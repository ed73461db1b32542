import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import type { AppContext } from '../context.ts';

const NAME = 'gateway_ops';

/** The session's id in the cookie of a request; '' without one. */
export function readCookie({ headers }: Request): string {
  return parseCookie(headers.cookie ?? '')[NAME] ?? '';
}

export function setCookie(app: AppContext, request: Request, response: Response, sessionId: string): void {
  response.cookie(NAME, sessionId, options(app, request));
}

export function clearCookie(app: AppContext, request: Request, response: Response): void {
  response.clearCookie(NAME, options(app, request));
}

/** Without an expiry: the browser drops the cookie when it is closed. */
function options({ config }: AppContext, request: Request): CookieOptions {
  const isPublicTls = config.publicEndpoint.url?.startsWith('https:') ?? false;
  return { httpOnly: true, sameSite: 'strict', secure: isPublicTls || request.secure, path: '/ops' };
}
