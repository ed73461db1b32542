import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { hostCookie } from '../auth/host-cookie.ts';
import type { AppContext } from '../context.ts';
import { pathPrefix } from '../http/request/path-prefix.ts';

/** The session's id in the cookie of a request; '' without one. */
export function readCookie(app: AppContext, request: Request): string {
  return parseCookie(request.headers.cookie ?? '')[cookieOf(app, request).name] ?? '';
}

export function setCookie(app: AppContext, request: Request, response: Response, sessionId: string): void {
  const { name, ...attributes } = cookieOf(app, request);
  response.cookie(name, sessionId, { ...attributes, sameSite: 'strict' });
}

export function clearCookie(app: AppContext, request: Request, response: Response): void {
  const { name, ...attributes } = cookieOf(app, request);
  response.clearCookie(name, { ...attributes, sameSite: 'strict' });
}

/** Without an expiry: the browser drops the cookie when it is closed. */
function cookieOf({ config }: AppContext, request: Request) {
  return hostCookie('gateway_ops', '/ops', {
    publicUrl: config.publicEndpoint.url,
    pathPrefix: pathPrefix(config, request),
    isTls: request.secure,
  });
}
