import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { newCaller, type TestCaller } from './factories.ts';
import type { ApiSuite, TestApi } from './suite.ts';

interface PageResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface PageRequest {
  cookie?: string;
  headers?: Record<string, string>;
  /** Sent as a form. */
  form?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

/** A browser's headers for requests of a page to its own origin. */
export const fromPage = { 'sec-fetch-site': 'same-origin' };

/** Sends a request as a browser does, by default from a page of the same origin. Follows no redirect. */
export async function visit(
  { port }: Pick<TestApi, 'port'>,
  method: string,
  path: string,
  { body, cookie, form, headers = fromPage }: PageRequest = {},
): Promise<PageResponse> {
  const payload = form === undefined ? JSON.stringify(body) : String(new URLSearchParams(form));
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: {
      accept: 'text/html,*/*;q=0.8',
      ...(payload !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
  });
  request.end(payload);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: await textOf(response) };
}

export const operatorLogIn = { username: 'admin', password: 'admin-secret' };

/**
 * Logs an administrator in to the operators' page. Their token needs no further validation for some seconds.
 */
export async function logInOperator(
  { cloud }: ApiSuite,
  api: TestApi,
  differences: Partial<TestCaller> = {},
): Promise<{ admin: TestCaller; cookie: string }> {
  const admin = newCaller({ roles: ['admin'], ...differences });
  cloud.acceptsLogIn(admin);
  const { headers } = await visit(api, 'POST', '/ops/login', { form: operatorLogIn });
  return { admin, cookie: String(headers['set-cookie']?.[0]).split(';')[0] ?? '' };
}
