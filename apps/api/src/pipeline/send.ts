import type { IncomingMessage } from 'node:http';
import type { CachedBody } from '@gateway/cache';
import type { Response } from 'express';
import type { AppContext } from '../context.ts';
import { Attachment } from '../http/response/attachment.ts';
import type { GatewayResponse } from '../http/response/gateway-response.ts';
import { writeHeaders } from '../http/response/headers.ts';
import { Reply } from '../http/response/reply.ts';
import { JobStream } from '../http/streams/event-streams.ts';
import type { AnyEndpoint } from './endpoint.ts';

/**
 * Node sends a string body in one write together with the headers, and a buffer in a second write. Up to this size the
 * copy to a string costs less than the second write.
 */
const SHORT_BODY_BYTES = 4096;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends the result of a handler: JSON, no body, text of the declared type, a file, or the events of a job. */
export function sendResult(
  app: AppContext,
  endpoint: AnyEndpoint,
  response: Response,
  result: unknown,
): void {
  if (result instanceof JobStream) {
    response.locals.jobId = result.jobId;
    app.streams.send(response, result);
    return;
  }
  const [status, body] =
    result instanceof Reply ? [result.status, result.body] : [endpoint.status ?? 200, result];
  const cacheControl = ['Cache-Control', endpoint.secret === true ? 'no-store' : 'private, no-cache'];
  if (endpoint.response !== undefined) {
    writeHeaders(response, status, [...cacheControl, 'Content-Type', JSON_TYPE]);
    response.end(JSON.stringify(body));
  } else if (result instanceof Attachment) {
    const disposition = `attachment; filename="${result.fileName}"`;
    const type = ['Content-Type', endpoint.produces ?? 'application/octet-stream'];
    writeHeaders(response, status, [...cacheControl, ...type, 'Content-Disposition', disposition]);
    response.end(result.text);
  } else if (endpoint.produces !== undefined) {
    writeHeaders(response, status, [...cacheControl, 'Content-Type', endpoint.produces]);
    response.end(body);
  } else {
    writeHeaders(response, status, cacheControl);
    response.end();
  }
}

/** Sends a cached body as stored, or 304 if the client already has it. */
export function sendCached(
  request: IncomingMessage,
  response: GatewayResponse,
  { body, etag }: CachedBody,
): void {
  const headers = ['ETag', etag, 'Cache-Control', 'private, no-cache'];
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    writeHeaders(response, 304, headers);
    response.end();
    return;
  }
  writeHeaders(response, 200, [...headers, 'Content-Type', JSON_TYPE, 'Content-Length', body.length]);
  if (body.length <= SHORT_BODY_BYTES) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => {
    const trimmed = tag.trim();
    return trimmed === '*' || trimmed.replace(/^W\//, '') === etag;
  });
}
