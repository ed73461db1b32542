import { exampleId } from '@gateway/core/shapes';
import { ERROR_CODES, type ErrorCode } from '../http/schemas/error-codes.ts';
import { errorShape } from '../http/schemas/error-shape.ts';
import { fieldsOf } from '../http/schemas/schema-parts.ts';
import { type AnyEndpoint, takesIdempotencyKey } from '../pipeline/endpoint.ts';
import { changedBy, isRefusedWhileReadOnly } from '../pipeline/writes.ts';
import { IDEMPOTENCY_CODES } from './idempotency.ts';
import type { Json } from './json-schema.ts';
import type { SchemaRegistry } from './schema-registry.ts';

const CODES_OF_AUTHENTICATION: ErrorCode[] = [
  'invalid_input',
  'unauthorized',
  'session_expired',
  'forbidden',
  'csrf_refused',
  'rate_limited',
  'upstream_error',
  'upstream_unavailable',
  'upstream_busy',
  'store_unavailable',
  'upstream_timeout',
];

/**
 * The codes of all errors that an endpoint can return: those that it declares, and those that follow from its
 * declaration.
 */
export function errorCodesOf(endpoint: AnyEndpoint): ErrorCode[] {
  const { access, acceptsTicket, body, params, preferred, rateLimits, service } = endpoint;
  // Every endpoint refuses unknown query parameters.
  const codes = new Set<ErrorCode>(['invalid_input', 'internal_error', ...(endpoint.errors ?? [])]);
  const add = (condition: unknown, ...more: readonly ErrorCode[]): void => {
    if (condition) for (const code of more) codes.add(code);
  };
  add(takesIdempotencyKey(endpoint), ...IDEMPOTENCY_CODES);
  add(access !== 'public', ...CODES_OF_AUTHENTICATION);
  add(isRefusedWhileReadOnly(endpoint), 'read_only');
  add(acceptsTicket, 'invalid_ticket');
  add(params, 'not_found');
  add(service, 'service_disabled');
  // Services can refuse every change because of a resource's state, or because a resource in the body is
  // missing.
  add(changedBy(endpoint).length > 0, 'conflict');
  add(namesResources(body), 'not_found');
  add(body, 'body_too_large', 'unsupported_media_type');
  add(rateLimits, 'rate_limited');
  if (preferred !== undefined) add(true, ...errorCodesOf(preferred));
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Whether the body of a request has ids of other resources. */
function namesResources(body: AnyEndpoint['body']): boolean {
  return (
    body !== undefined &&
    fieldsOf(body)
      .keys()
      .some((name) => /_ids?$/.test(name))
  );
}

/** Codes that many endpoints return together, by the name of their response. */
const SETS: Record<string, readonly ErrorCode[]> = {
  idempotency_refused: ['idempotency_mismatch', 'idempotency_in_progress'],
  unavailable: ['upstream_unavailable', 'upstream_busy', 'store_unavailable'],
};
/** A name for more would be too long. */
const MAX_NAMED = 2;

/** The error responses of the document. Those that many endpoints share are components. */
export class ErrorResponses {
  readonly #schemas: SchemaRegistry;
  readonly #components = new Map<string, Json>();

  constructor(schemas: SchemaRegistry) {
    this.#schemas = schemas;
  }

  /** By status. */
  of(endpoint: AnyEndpoint): Record<string, Json> {
    const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => ERROR_CODES[code][0]);
    return Object.fromEntries([...byStatus].map(([status, codes]) => [status, this.#refer(codes)]));
  }

  components(): Record<string, Json> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => a.localeCompare(b)));
  }

  #refer(codes: ErrorCode[]): Json {
    const name = nameOf(codes);
    if (name === null) return this.#response(codes);
    if (!this.#components.has(name)) this.#components.set(name, this.#response(codes));
    return { $ref: `#/components/responses/${name}` };
  }

  #response(codes: ErrorCode[]): Json {
    // Not a schema of its own: generators of clients would make a type of each set of codes.
    const schema = this.#schemas.referShape(errorShape);
    const examples = Object.fromEntries(codes.map((each) => [each, { value: exampleOf(each) }]));
    return {
      description: codes.map((each) => `\`${each}\`: ${ERROR_CODES[each][1]}`).join('\n\n'),
      content: { 'application/json': { schema, examples } },
    };
  }
}

function exampleOf(code: ErrorCode): Json {
  const [, detail] = ERROR_CODES[code];
  const errors = [{ field: 'body.name', message: 'must not be empty' }];
  return {
    detail,
    code,
    request_id: `req-${exampleId('request')}`,
    ...(code === 'conflict' && { reason: 'in_use' }),
    ...(code === 'quota_exceeded' && { params: { quota: 'cores', requested: 4, in_use: 18, limit: 20 } }),
    ...(code === 'invalid_input' && { errors }),
    ...(code === 'totp_required' && {
      receipt: 'v1.key1.PExnYNOiDZ1nRrJ0MxaNg2mb',
      receipt_expires_at: '2026-01-01T12:05:00Z',
      missing_methods: ['totp'],
    }),
    ...(code === 'timeout' && { job_id: exampleId('job') }),
    ...(code.startsWith('upstream_') && {
      upstream: { service: 'compute', status: null, request_id: null },
    }),
  };
}

/** Null for a set of codes without a short name, which has its response at each endpoint. */
function nameOf(codes: readonly ErrorCode[]): string | null {
  let parts: string[] = [...codes];
  for (const [name, set] of Object.entries(SETS)) {
    if (!set.every((code) => codes.includes(code))) continue;
    parts = [...parts.filter((part) => !(set as readonly string[]).includes(part)), name];
  }
  return parts.length > MAX_NAMED ? null : parts.map(inPascalCase).join('Or');
}

function inPascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
