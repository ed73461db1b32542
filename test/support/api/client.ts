import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { AnyEndpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { TestCaller } from './factories.ts';
import { checkResponse } from './response-check.ts';

export interface ApiResponse<T = unknown> {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined when the response is not JSON. */
  body: T;
  text: string;
}

/** Body of all responses from 400. */
export interface ErrorBody {
  detail: string;
  code: string;
  reason?: string;
  params?: Record<string, unknown>;
  request_id: string;
  errors?: { field: string; message: string }[];
  job_id?: string;
  upstream?: { service: string; status: number | null; request_id: string | null };
}

export interface RequestOptions {
  /** The caller whose token is sent. */
  as?: TestCaller;
  /** X-Project-Id: the caller's project by default, no header with null. */
  projectId?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  rawBody?: string | Buffer;
}

/** The port of an api, and its endpoints when they differ from those of the gateway. */
interface Target {
  port: number;
  declared?: readonly AnyEndpoint[];
}

/**
 * Sends a request on a new connection, with the path unchanged. The response is checked against the
 * declaration of the endpoint.
 */
export async function send<T = unknown>(
  { port, declared = endpoints }: Target,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse<T>> {
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
  const result = { status: response.statusCode ?? 0, headers: response.headers, text };
  checkResponse(method, path, result, declared);
  return { ...result, body: (isJson && text !== '' ? JSON.parse(text) : undefined) as T };
}

/** The headers that identify the caller. */
export function identityHeaders({ as: caller, projectId }: RequestOptions): Record<string, string> {
  const project = projectId === undefined ? caller?.projectId : projectId;
  return {
    ...(caller !== undefined && { 'x-auth-token': caller.token }),
    ...(project !== undefined && project !== null && { 'x-project-id': project }),
  };
}
