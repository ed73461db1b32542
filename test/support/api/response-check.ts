import assert from 'node:assert/strict';
import { errorShape } from '../../../apps/api/src/http/schemas/error-shape.ts';
import { errorCodesOf } from '../../../apps/api/src/openapi/error-responses.ts';
import type { AnyEndpoint } from '../../../apps/api/src/pipeline/endpoint.ts';

interface CheckedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const NOT_MODIFIED = 304;

/**
 * Codes that every endpoint can return and that the document does not list: errors before
 * an endpoint is chosen.
 */
const COMMON_CODES = ['route_not_found', 'method_not_allowed', 'headers_too_large', 'request_timeout'];

/**
 * Checks the rules for all responses: a request id, the error body of errors, JSON of exactly the declared
 * shape, and a documented status or code.
 */
export function checkResponse(
  method: string,
  path: string,
  response: CheckedResponse,
  declared: readonly AnyEndpoint[],
): void {
  const summary = `${method} ${path} responded ${response.status}: ${response.text.slice(0, 500)}`;
  if (method === 'OPTIONS' && response.status === 204) return;
  assert.match(String(response.headers['x-request-id']), /^req-[0-9a-f-]{36}$/, summary);
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
  if (method !== 'HEAD' && response.status >= 400 && !isHealth(path, response)) {
    assert.ok(isJson, summary);
    const body = matches(errorShape, response, summary) as { request_id: string };
    assert.equal(body.request_id, response.headers['x-request-id'], summary);
    assert.equal(response.headers['cache-control'], 'no-store', summary);
    if (response.status === 429 || response.status === 503) {
      assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/, summary);
    }
  }
  const found = endpointAt(method, path, declared);
  const endpoint = 'preference-applied' in response.headers ? found?.preferred : found;
  if (endpoint === undefined) return;
  if (isJson && method !== 'HEAD' && (response.status < 400 || isHealth(path, response))) {
    assert.ok(endpoint.response, `${summary}, but no response shape is declared`);
    matches(endpoint.response, response, summary);
  }
  const { alternativeStatuses = [], status = 200 } = endpoint;
  if ([status, ...alternativeStatuses, NOT_MODIFIED].includes(response.status)) return;
  const documented: string[] = [...errorCodesOf(endpoint), ...COMMON_CODES];
  const { code } = JSON.parse(response.text || '{}') as { code?: string };
  if (method === 'HEAD') return;
  assert.ok(documented.includes(code ?? ''), `${summary}, but only ${documented} are documented`);
}

/** An unhealthy status is not an error: it has the health body. */
function isHealth(path: string, { status }: CheckedResponse): boolean {
  return status === 503 && path.startsWith('/api/health');
}

function matches(
  schema: NonNullable<AnyEndpoint['response']>,
  { text }: CheckedResponse,
  summary: string,
): unknown {
  const { data, error } = schema.safeParse(JSON.parse(text));
  assert.equal(error?.message, undefined, summary);
  return data;
}

function endpointAt(method: string, path: string, declared: readonly AnyEndpoint[]): AnyEndpoint | undefined {
  const [plain = ''] = path.split('?');
  const verb = method === 'HEAD' ? 'GET' : method;
  return declared.find((endpoint) => endpoint.method === verb && pattern(endpoint).test(plain));
}

function pattern({ path }: AnyEndpoint): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`);
}
