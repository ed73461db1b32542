import type { HttpConfig } from '@gateway/platform';
import cors from 'cors';
import type { RequestHandler } from 'express';

const EXPOSED = [
  'X-Request-Id',
  'Content-Disposition',
  'X-Job-Id',
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

/** Null if no origin is configured: then browsers refuse calls from pages of other origins. */
export function crossOrigin({ corsLocalOrigins, corsOrigins }: HttpConfig): RequestHandler | null {
  const origin = [...corsOrigins, ...(corsLocalOrigins ? [LOCAL_ORIGIN] : [])];
  if (origin.length === 0) return null;
  return cors({ origin, exposedHeaders: EXPOSED, maxAge: 600 });
}
