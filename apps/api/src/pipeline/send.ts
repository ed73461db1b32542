import type { IncomingMessage } from 'node:http';
import { type CachedBody, compress, encodingFor } from '@gateway/cache';
import { formatJsonText, notFound } from '@gateway/core';
import { readJob } from '@gateway/jobs';
import type { Response } from 'express';
import type { AppContext } from '../context.ts';
import { pathPrefix } from '../http/request/path-prefix.ts';
import { varyByEncoding } from '../http/response/accepted-encoding.ts';
import type { GatewayResponse } from '../http/response/gateway-response.ts';
import { endWithText, writeHeaders } from '../http/response/headers.ts';
import { presentOneJob } from '../http/response/present-jobs.ts';
import { Attachment, Redirect, Reply } from '../http/response/results.ts';
import { JobStream } from '../http/streams/event-streams.ts';
import { ProjectStream } from '../http/streams/project-stream.ts';
import { type AnyEndpoint, isStream } from './endpoint.ts';
import { partHeaders } from './selected-part.ts';

/**
 * Node sends a string body in one write together with the headers, and a buffer in a second write. Up to this
 * size the copy to a string costs less than the second write.
 */
const SHORT_BODY_BYTES = 4096;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends the result of a handler: JSON, no body, text of the declared type, a file, a redirect, or a stream of
 * events.
 */
export async function sendResult(
  app: AppContext,
  endpoint: AnyEndpoint,
  response: Response,
  result: unknown,
): Promise<void> {
  if (result instanceof JobStream && !isStream(endpoint)) {
    await sendJob(app, endpoint, response, result.jobId);
    return;
  }
  if (result instanceof JobStream || result instanceof ProjectStream) {
    app.streams.send(response, result);
    return;
  }
  const status = statusOf(endpoint, result);
  const body = result instanceof Reply ? result.body : result;
  const isSecret = endpoint.secret === true;
  const cacheControl = ['Cache-Control', isSecret ? 'no-store' : 'private, no-cache'];
  if (result instanceof Redirect) {
    const { cookie, location } = result;
    writeHeaders(response, status, ['Cache-Control', 'no-store', 'Location', location, 'Set-Cookie', cookie]);
    response.end();
  } else if (endpoint.response !== undefined) {
    const headers = [...cacheControl, 'Content-Type', JSON_TYPE];
    await sendText(app, response, { status, headers, text: await formatJsonText(body), isSecret });
  } else if (result instanceof Attachment) {
    const disposition = `attachment; filename="${result.fileName}"`;
    const type = ['Content-Type', endpoint.produces ?? 'application/octet-stream'];
    const headers = [...cacheControl, ...type, 'Content-Disposition', disposition];
    endWithText(response, status, headers, result.text);
  } else if (endpoint.produces !== undefined) {
    const headers = [...cacheControl, 'Content-Type', endpoint.produces];
    await sendText(app, response, { status, headers, text: String(body), isSecret });
  } else {
    writeHeaders(response, status, cacheControl);
    response.end();
  }
}

/** The status of the response with this result. */
export function statusOf({ status = 200 }: Pick<AnyEndpoint, 'status'>, result: unknown): number {
  return result instanceof Reply ? result.status : status;
}

/** Sends the job that the request has started, to a client that prefers this to waiting or to a stream. */
async function sendJob(
  app: AppContext,
  { preference, status = 200 }: AnyEndpoint,
  response: Response,
  jobId: string,
): Promise<void> {
  const job = await readJob(app.redis.store, jobId);
  if (job === null) throw notFound('There is no such job.');
  const location = `${pathPrefix(app.config, response.req)}/api/jobs/${jobId}`;
  const headers = ['Cache-Control', 'private, no-cache', 'Content-Type', JSON_TYPE];
  headers.push(...new JobStream(jobId, { resourceId: job.resourceId }).headers());
  headers.push('Location', location, 'Preference-Applied', preference ?? '');
  const text = await formatJsonText(await presentOneJob(app, job));
  await sendText(app, response, { status, headers, text });
}

interface TextResponse {
  status: number;
  /** Name, value, name, value. */
  headers: string[];
  text: string;
  /**
   * The length of a compressed text reveals something about a secret in it to those who can add to the text.
   */
  isSecret?: boolean;
  /** Of the text as it is. A client that has this text gets 304. */
  etag?: string;
}

/** Sends a text, compressed if it is long and has no secret. */
export async function sendText(
  { acceptedEncodings }: Pick<AppContext, 'acceptedEncodings'>,
  response: Response,
  { status, headers, text, isSecret = false, etag }: TextResponse,
): Promise<void> {
  if (!isSecret) headers.push(...varyByEncoding(response));
  const encoding = isSecret ? null : encodingFor(text.length, acceptedEncodings.of(response.req));
  if (etag !== undefined) {
    headers.push('ETag', tagOf(etag, encoding));
    if (matchesEtag(response.req.headers['if-none-match'], etag)) {
      writeHeaders(response, 304, headers);
      response.end();
      return;
    }
  }
  if (encoding === null) {
    endWithText(response, status, headers, text);
    return;
  }
  const body = await compress(Buffer.from(text), encoding);
  headers.push('Content-Encoding', encoding, 'Content-Length', String(body.length));
  writeHeaders(response, status, headers);
  response.end(body);
}

/** Sends a cached body as stored, or 304 if the client already has it. */
export function sendCached(
  request: IncomingMessage,
  response: GatewayResponse,
  { body, encoding, etag: plainEtag, lacksRows, part }: CachedBody,
): void {
  const etag = tagOf(plainEtag, encoding);
  const headers = ['ETag', etag, 'Cache-Control', 'private, no-cache', ...varyByEncoding(response)];
  if (part !== undefined) headers.push(...partHeaders(request, part));
  if (lacksRows) headers.push('X-Incomplete', 'true');
  if (matchesEtag(request.headers['if-none-match'], plainEtag)) {
    writeHeaders(response, 304, headers);
    response.end();
    return;
  }
  if (encoding !== null) headers.push('Content-Encoding', encoding);
  headers.push('Content-Type', JSON_TYPE, 'Content-Length', String(body.length));
  writeHeaders(response, 200, headers);
  if (body.length <= SHORT_BODY_BYTES) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}

/**
 * The tag is weak for compressed bodies, because a strong one would promise the same bytes in each encoding.
 */
function tagOf(plainEtag: string, encoding: string | null): string {
  return encoding === null ? plainEtag : `W/${plainEtag}`;
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => {
    const trimmed = tag.trim();
    return trimmed === '*' || trimmed.replace(/^W\//, '') === etag;
  });
}
