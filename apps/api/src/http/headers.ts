import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { HttpConfig } from '@gateway/config';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Nothing may be loaded from another host; the documentation page sets its styles inline. The headers are the
 * same for every answer, so they are asked of helmet once.
 */
export function securityHeaders(): RequestHandler {
  const headers = recordHeaders(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          baseUri: ["'self'"],
          frameAncestors: ["'none'"],
          imgSrc: ["'self'", 'data:'],
          objectSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
        },
      },
      // These speak to browsers and plug-ins that are no longer there.
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  );
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** What a middleware sets on any answer. */
function recordHeaders(middleware: ReturnType<typeof helmet>): [name: string, value: string][] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => {});
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

const EXPOSED = [
  'X-Request-Id',
  'X-Job-Id',
  'ETag',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** Null when no origin is configured: then no other origin's page may call. */
export function crossOrigin({ corsOrigins }: HttpConfig): RequestHandler | null {
  if (corsOrigins.length === 0) return null;
  return cors({ origin: corsOrigins, exposedHeaders: EXPOSED, maxAge: 600 });
}
