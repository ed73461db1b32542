import { forbidden } from '@gateway/core';
import type { RequestHandler } from 'express';
import { headerText } from '../http/request/credentials.ts';

/**
 * Refuses requests other than reads unless the page itself has sent them. Current browsers say so in
 * `Sec-Fetch-Site`, and over plain HTTP in `Origin`. A request with neither is refused too.
 */
export function requireSameOrigin(publicUrl: string | null): RequestHandler {
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin;
  return ({ headers, method }, _response, next) => {
    if (isRead(method)) return next();
    const site = headerText(headers['sec-fetch-site']);
    const origin = headerText(headers.origin);
    const isOwn =
      site === undefined
        ? origin !== undefined && (origin === publicOrigin || hostOf(origin) === headers.host)
        : site === 'same-origin';
    if (!isOwn) throw forbidden('This request did not come from the page itself.');
    next();
  };
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
