import { Slices } from '@gateway/core';
import { type AnyEndpoint, documentedPath } from '../pipeline/endpoint.ts';
import { describeActions } from './actions.ts';
import { ErrorResponses } from './error-responses.ts';
import { idempotencyKeyParameter, idempotentReplayedHeader } from './idempotency.ts';
import type { Json } from './json-schema.ts';
import { OperationBuilder } from './operation.ts';
import { jobAddressHeader, preferenceAppliedHeader, preferParameter } from './preference.ts';
import { SchemaRegistry } from './schema-registry.ts';
import { describeWebhooks, webhookHeaders } from './webhooks.ts';

const jobIdHeader = {
  description:
    'The id of the job that does the work. Its events can be followed, also again, under `/api/jobs`.',
  schema: { type: 'string' },
};

const resourceIdHeader = {
  description:
    'The id of what the job creates or changes, if it is known when the response begins. Else the events and the job have it as soon as it exists.',
  schema: { type: 'string' },
};

const totalCountHeader = {
  description:
    'The number of rows that match the filters, on all pages. Sent if the query has a filter, `sort`, `limit` or `marker`.',
  schema: { type: 'integer' },
};

const incompleteHeader = {
  description:
    'Sent if the cloud has sent something that cannot be read, such as a row without an id: it is not in the response, the rest is.',
  schema: { type: 'string', enum: ['true'] },
};

const ignoredHeader = {
  description:
    'Sent if the request has fields or query parameters that are not known, and names up to 20 of them, as `errors` does. They have no effect.',
  schema: { type: 'string' },
  example: 'body.sizegb, query.forec',
};

const nextPageHeader = {
  description:
    'The next page, relative to the address of this one, with `rel="next"`; absent on the last page.',
  schema: { type: 'string' },
};

const DESCRIPTION = `One REST interface between a dashboard and an OpenStack cloud.

To try requests on this page, send \`POST /api/auth/login\`, then enter \`token\` and \`project_id\` of its response under **Authorize**.

Every error has a \`detail\` for people and a stable \`code\`; each endpoint lists its codes. Creations with an \`Idempotency-Key\` can be
repeated. Long operations are jobs, and report their progress as server-sent events.`;

/**
 * Generates the OpenAPI document from the declared endpoints, in their order, with an example of every
 * request and every response. Other requests continue meanwhile.
 */
export async function createDocument(endpoints: readonly AnyEndpoint[], version: string): Promise<Json> {
  const schemas = new SchemaRegistry();
  const errors = new ErrorResponses(schemas);
  const operations = new OperationBuilder(schemas, errors);
  const paths: Record<string, Json> = {};
  const slices = new Slices();
  for (const endpoint of endpoints) {
    await slices.pause();
    const path = documentedPath(endpoint.path);
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operations.build(endpoint),
      ...(endpoint.head !== undefined && { head: operations.buildHead(endpoint) }),
    };
  }
  const tags = new Map(endpoints.map(({ tag }) => [tag.name, tag]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cloud Resource Gateway',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...tags.values()],
    paths,
    webhooks: describeWebhooks(schemas),
    'x-actions': describeActions(schemas, paths),
    components: {
      schemas: schemas.components(),
      responses: errors.components(),
      parameters: {
        IdempotencyKey: idempotencyKeyParameter,
        Prefer: preferParameter,
        ...webhookHeaders,
      },
      headers: {
        IdempotentReplayed: idempotentReplayedHeader,
        Incomplete: incompleteHeader,
        Ignored: ignoredHeader,
        JobAddress: jobAddressHeader,
        JobId: jobIdHeader,
        NextPage: nextPageHeader,
        PreferenceApplied: preferenceAppliedHeader,
        ResourceId: resourceIdHeader,
        TotalCount: totalCountHeader,
      },
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'An identity token.' },
        project: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Project-Id',
          description: 'The id of the project.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'gateway_session',
          description:
            "Of a log-in with `use_cookie`, for pages of the gateway's own origin; it is in place of token and project. Over TLS its name begins with `__Host-`. Changes also need the header `X-Gateway-CSRF`, with any value.",
        },
        ticket: {
          type: 'apiKey',
          in: 'query',
          name: 'ticket',
          description: 'Can be used once, for one job, by clients that cannot set headers.',
        },
      },
    },
  };
}
