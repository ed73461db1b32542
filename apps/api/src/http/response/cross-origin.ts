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
];

/** Null if no origin is configured: then browsers refuse calls from pages of other origins. */
export function crossOrigin({ corsOrigins }: HttpConfig): RequestHandler | null {
  if (corsOrigins.length === 0) return null;
  return cors({ origin: corsOrigins, exposedHeaders: EXPOSED, maxAge: 600 });
}
