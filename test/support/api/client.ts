import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { AnyEndpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { checkAnswer } from './answer-check.ts';
import type { TestCaller } from './factories.ts';

export interface Answer<T = unknown> {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined when the answer is not JSON. */
  body: T;
  text: string;
}

/** Body of every answer from 400. */
export interface ErrorAnswer {
  detail: string;
  code: string;
  request_id: string;
  errors?: { field: string; message: string }[];
  job_id?: string;
  upstream?: { service: string; status: number | null; request_id: string | null };
}

export interface RequestOptions {
  /** Whose token goes along. */
  as?: TestCaller;
  /** In X-Project-Id; the caller's own unless told, none with null. */
  projectId?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  rawBody?: string | Buffer;
}

/** What `send` is to reach: the port of one api, and its endpoints where they are not the gateway's. */
export interface Target {
  port: number;
  declared?: readonly AnyEndpoint[];
}

/**
 * One request over a connection of its own, the path going out exactly as written. The answer is held to what
 * the endpoint declares.
 */
export async function send<T = unknown>(
  { port, declared = endpoints }: Target,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const payload = options.body === undefined ? options.rawBody : JSON.stringify(options.body);
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: {
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(payload !== undefined &&
        options.headers?.['transfer-encoding'] === undefined && {
          'content-length': Buffer.byteLength(payload),
        }),
      ...identityHeaders(options),
      ...options.headers,
    },
  });
  request.end(payload);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = await textOf(response);
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  const answer = { status: response.statusCode ?? 0, headers: response.headers, text };
  checkAnswer(method, path, answer, declared);
  return { ...answer, body: (isJson && text !== '' ? JSON.parse(text) : undefined) as T };
}

/** The headers by which a caller is known. */
export function identityHeaders({ as: caller, projectId }: RequestOptions): Record<string, string> {
  const project = projectId === undefined ? caller?.projectId : projectId;
  return {
    ...(caller !== undefined && { 'x-auth-token': caller.token }),
    ...(project !== undefined && project !== null && { 'x-project-id': project }),
  };
}
