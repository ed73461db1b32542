import type { HttpConfig } from '@gateway/platform';
import cors from 'cors';
import type { RequestHandler } from 'express';

const EXPOSED = [
  'X-Request-Id',
  'Content-Disposition',
  'X-Job-Id',
  'X-Resource-Id',
  'Idempotent-Replayed',
  'Location',
  'Preference-Applied',
  'ETag',
  'Link',
  'X-Total-Count',
  'X-Incomplete',
  'X-Ignored',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
];

/** Any port of the machine of the browser, where development servers listen. */
const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * What clients send, allowed by each preflight besides what it asks for. Else a resumed stream needs another
 * one, and a browser holds the connection of a preflight that is never answered, even if its request ends.
 */
const ACCEPTED = [
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'X-Auth-Token',
  'X-Gateway-CSRF',
  'X-Project-Id',
  'X-Request-Id',
];

/** The longest time for which browsers cache a preflight. */
const PREFLIGHT_SECONDS = 7_200;

/** Null if no origin is configured: then browsers refuse calls from pages of other origins. */
export function crossOrigin({ corsLocalOrigins, corsOrigins }: HttpConfig): RequestHandler | null {
  const origin = [...corsOrigins, ...(corsLocalOrigins ? [LOCAL_ORIGIN] : [])];
  if (origin.length === 0) return null;
  return cors(({ headers }, respond) => {
    const asked = headers['access-control-request-headers'];
    const allowedHeaders = [...(asked ? [asked] : []), ...ACCEPTED].join();
    respond(null, { origin, allowedHeaders, exposedHeaders: EXPOSED, maxAge: PREFLIGHT_SECONDS });
  });
}
