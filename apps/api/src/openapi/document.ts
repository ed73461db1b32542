import type { Schema } from 'joi';
import { errorSchema, isOptional } from '../http/schemas/fields.ts';
import { type AnyEndpoint, isStream, takesIdempotencyKey } from '../pipeline/endpoint.ts';
import { IDEMPOTENCY_STATUSES, idempotencyKeyParameter, idempotentReplayedHeader } from './idempotency.ts';
import { SchemaRegistry } from './schema-registry.ts';

type Json = Record<string, unknown>;

const STATUS_TEXT: Record<number, string> = {
  400: 'The input is not valid.',
  401: 'The token is missing, invalid or expired, or the session has ended.',
  403: 'The role or a policy does not allow this.',
  404: 'The resource does not exist or belongs to another project (`not_found`), or the service is switched off (`service_disabled`).',
  409: 'The state of the resource, a quota or the `Idempotency-Key` does not allow this.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests. `Retry-After` says how long to wait.',
  502: 'A cloud service answered with an error.',
  503: 'A cloud service or the store is not available.',
  504: 'A cloud service did not answer in time.',
};

const jobIdHeader = {
  description:
    'The id of the job whose events are streamed. The job can be followed again under `/api/jobs`.',
  schema: { type: 'string' },
};

/** Generates the OpenAPI document from the declared endpoints. */
export function createDocument(endpoints: readonly AnyEndpoint[], version: string): Json {
  const schemas = new SchemaRegistry();
  const errorResponse = { 'application/json': { schema: schemas.refer(errorSchema) } };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(endpoint, schemas, errorResponse),
    };
  }
  const tags = new Map(endpoints.map(({ tag }) => [tag.name, tag]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cloud Resource Gateway',
      version,
      description: 'One REST interface between a dashboard and an OpenStack cloud.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...tags.values()],
    paths,
    components: {
      schemas: schemas.components(),
      parameters: { IdempotencyKey: idempotencyKeyParameter },
      headers: { IdempotentReplayed: idempotentReplayedHeader, JobId: jobIdHeader },
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'An identity token.' },
        ticket: {
          type: 'apiKey',
          in: 'query',
          name: 'ticket',
          description: 'Can be used once, for one job, by clients that can not set headers.',
        },
        project: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Project-Id',
          description: 'The id of the project.',
        },
      },
    },
  };
}

function operation(endpoint: AnyEndpoint, schemas: SchemaRegistry, errorResponse: Json): Json {
  const parameters = [
    ...parametersOf('path', endpoint.params, schemas),
    ...parametersOf('query', endpoint.query, schemas),
    ...headersOf(endpoint),
  ];
  return {
    operationId: operationId(endpoint),
    tags: [endpoint.tag.name],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    security: security(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: {
        required: !isOptional(endpoint.body),
        content: { 'application/json': { schema: schemas.refer(endpoint.body) } },
      },
    }),
    responses: {
      [endpoint.status ?? 200]: success(endpoint, schemas),
      ...Object.fromEntries(
        errorStatuses(endpoint).map((status) => [
          status,
          { description: STATUS_TEXT[status] ?? 'An error.', content: errorResponse },
        ]),
      ),
    },
  };
}

function success(endpoint: AnyEndpoint, schemas: SchemaRegistry): Json {
  const named = {
    ...(takesIdempotencyKey(endpoint) && { 'Idempotent-Replayed': 'IdempotentReplayed' }),
    ...(isStream(endpoint) && { 'X-Job-Id': 'JobId' }),
  };
  const fields = Object.entries(named).map(([name, of]) => [name, { $ref: `#/components/headers/${of}` }]);
  const headers = fields.length > 0 && { headers: Object.fromEntries(fields) };
  if (endpoint.response === undefined && endpoint.produces === undefined) {
    return { description: 'Done.', ...headers };
  }
  const type = endpoint.produces ?? 'application/json';
  const schema = endpoint.response === undefined ? { type: 'string' } : schemas.refer(endpoint.response);
  return { description: 'The answer.', ...headers, content: { [type]: { schema } } };
}

function parametersOf(where: 'path' | 'query', schema: Schema | undefined, schemas: SchemaRegistry): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.inline(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function headersOf(endpoint: AnyEndpoint): Json[] {
  const own = Object.entries(endpoint.headers ?? {}).map(([name, { description, schema }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  }));
  return takesIdempotencyKey(endpoint) ? [...own, { $ref: '#/components/parameters/IdempotencyKey' }] : own;
}

function security({ access, acceptsTicket }: AnyEndpoint): Json[] {
  if (access === 'public') return [];
  if (acceptsTicket === true) return [{ token: [], project: [] }, { ticket: [] }];
  return access === 'token' ? [{ token: [] }] : [{ token: [], project: [] }];
}

function errorStatuses(endpoint: AnyEndpoint): number[] {
  const statuses = new Set(endpoint.errors ?? []);
  if (takesIdempotencyKey(endpoint)) for (const status of IDEMPOTENCY_STATUSES) statuses.add(status);
  if (endpoint.params || endpoint.query || endpoint.body) statuses.add(400);
  if (endpoint.access !== 'public')
    for (const status of [400, 401, 403, 429, 502, 503, 504]) statuses.add(status);
  // An endpoint whose service is switched off answers 404.
  if (endpoint.params || endpoint.service) statuses.add(404);
  if (endpoint.body) for (const status of [413, 415]) statuses.add(status);
  if (endpoint.rateLimits) statuses.add(429);
  return [...statuses].sort((a, b) => a - b);
}

/** `GET /api/instances/:instance_id` is `getInstancesByInstanceId`. */
function operationId({ method, path }: AnyEndpoint): string {
  const words = path
    .split('/')
    .slice(2)
    .flatMap((part) => part.replace(/^:/, 'by_').split(/[^A-Za-z0-9]/));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
