import type { IncomingMessage } from 'node:http';
import type { CachedBody } from '@gateway/cache';
import type { Response } from 'express';
import type { AppContext } from '../context.ts';
import type { Answer } from './answer.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { writeHead } from './head.ts';
import { Reply } from './reply.ts';
import { JobStream } from './sse.ts';

/**
 * A body up to this size is sent as a text of the same bytes, which leaves in one write together with the head.
 * For a longer one the copy would cost more than the second write.
 */
const SHORT_BODY_BYTES = 4096;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends what a handler returned: JSON, nothing, a text of the declared type, or a job's events. */
export function sendAnswer(
  app: AppContext,
  endpoint: AnyEndpoint,
  response: Response,
  answer: unknown,
): void {
  if (answer instanceof JobStream) {
    response.locals.jobId = answer.jobId;
    app.streams.send(response, answer);
    return;
  }
  const [status, body] =
    answer instanceof Reply ? [answer.status, answer.body] : [endpoint.status ?? 200, answer];
  const caching = ['Cache-Control', endpoint.secret === true ? 'no-store' : 'private, no-cache'];
  if (endpoint.response !== undefined) {
    writeHead(response, status, [...caching, 'Content-Type', JSON_TYPE]);
    response.end(JSON.stringify(body));
  } else if (endpoint.produces !== undefined) {
    writeHead(response, status, [...caching, 'Content-Type', endpoint.produces]);
    response.end(body);
  } else {
    writeHead(response, status, caching);
    response.end();
  }
}

/** Sends bytes as they are kept, or says that the caller has them already. */
export function sendCached(request: IncomingMessage, response: Answer, { body, etag }: CachedBody): void {
  const caching = ['ETag', etag, 'Cache-Control', 'private, no-cache'];
  if (isKnown(request.headers['if-none-match'], etag)) {
    writeHead(response, 304, caching);
    response.end();
    return;
  }
  writeHead(response, 200, [...caching, 'Content-Type', JSON_TYPE, 'Content-Length', body.length]);
  if (body.length <= SHORT_BODY_BYTES) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => {
    const trimmed = tag.trim();
    return trimmed === '*' || trimmed.replace(/^W\//, '') === etag;
  });
}
