import assert from 'node:assert/strict';
import { errorSchema } from '../../../apps/api/src/http/schemas/fields.ts';
import { createDocument } from '../../../apps/api/src/openapi/document.ts';
import type { AnyEndpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';

interface CheckedAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

type Paths = Record<string, Record<string, { responses: Record<string, unknown> }>>;

const { paths } = createDocument(endpoints, '0') as { paths: Paths };

/** Of any answer of whatever endpoint, as no documentation tells them one by one. */
const ANYWHERE = new Set([304, 404, 405, 431, 500]);

/**
 * What holds for every answer: it names its request, an error has the error body, JSON has the declared shape
 * and nothing beside it, and the document knows its status.
 */
export function checkAnswer(
  method: string,
  path: string,
  answer: CheckedAnswer,
  declared: readonly AnyEndpoint[],
): void {
  const what = `${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`;
  if (method === 'OPTIONS' && answer.status === 204) return;
  assert.match(String(answer.headers['x-request-id']), /^req-[0-9a-f-]{36}$/, what);
  const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json');
  if (method !== 'HEAD' && answer.status >= 400 && !isHealth(path, answer)) {
    assert.ok(isJson, what);
    const body = matches(errorSchema, answer, what) as { request_id: string };
    assert.equal(body.request_id, answer.headers['x-request-id'], what);
    assert.equal(answer.headers['cache-control'], 'no-store', what);
    if (answer.status === 429 || answer.status === 503) {
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/, what);
    }
  }
  const endpoint = endpointAt(method, path, declared);
  if (endpoint === undefined) return;
  if (isJson && method !== 'HEAD' && (answer.status < 400 || isHealth(path, answer))) {
    assert.ok(endpoint.response, `${what}, though no shape is declared`);
    matches(endpoint.response, answer, what);
  }
  const documented = documentedStatuses(endpoint);
  if (documented === null || ANYWHERE.has(answer.status)) return;
  assert.ok(documented.includes(answer.status), `${what}, though the document tells of ${documented} only`);
}

/** A health that is not good is no error: it has its own body. */
function isHealth(path: string, { status }: CheckedAnswer): boolean {
  return status === 503 && path.startsWith('/api/health');
}

function matches(
  schema: NonNullable<AnyEndpoint['response']>,
  { text }: CheckedAnswer,
  what: string,
): unknown {
  const { error, value } = schema.validate(JSON.parse(text), { convert: false, abortEarly: false });
  assert.equal(error?.message, undefined, what);
  return value;
}

function endpointAt(method: string, path: string, declared: readonly AnyEndpoint[]): AnyEndpoint | undefined {
  const [plain = ''] = path.split('?');
  const verb = method === 'HEAD' ? 'GET' : method;
  return declared.find((endpoint) => endpoint.method === verb && pattern(endpoint).test(plain));
}

function pattern({ path }: AnyEndpoint): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`);
}

function documentedStatuses(endpoint: AnyEndpoint): number[] | null {
  const operation = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
  return operation === undefined ? null : Object.keys(operation.responses).map(Number);
}
