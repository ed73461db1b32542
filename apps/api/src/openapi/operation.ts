import { columnsOf } from '@gateway/cache';
import {
  exampleOf,
  fieldsOf as fieldsOfShape,
  itemOf,
  kindsOf,
  nameOf,
  type Shape,
  typeOf,
  valuesOf,
} from '@gateway/core/shapes';
import type { Schema } from 'joi';
import { isOptional } from '../http/schemas/fields.ts';
import { fieldsOf } from '../http/schemas/schema-parts.ts';
import { type AnyEndpoint, isStream, requiredRights, takesIdempotencyKey } from '../pipeline/endpoint.ts';
import type { ErrorResponses } from './error-responses.ts';
import { ExampleBuilder } from './examples/example-builder.ts';
import type { Json } from './json-schema.ts';
import type { SchemaRegistry } from './schema-registry.ts';

/** Describes endpoints; collects the components that they refer to. */
export class OperationBuilder {
  readonly #schemas: SchemaRegistry;
  readonly #errors: ErrorResponses;
  readonly #examples: ExampleBuilder;

  constructor(schemas: SchemaRegistry, errors: ErrorResponses) {
    this.#schemas = schemas;
    this.#errors = errors;
    this.#examples = new ExampleBuilder(schemas);
  }

  build(endpoint: AnyEndpoint): Json {
    const parameters = [
      ...this.#parametersOf('path', endpoint, endpoint.params),
      ...this.#parametersOf('query', endpoint, endpoint.query),
      ...headersOf(endpoint),
    ];
    const { body, description, status = 200, alternativeStatuses = [], preferred } = endpoint;
    const eventType = endpoint.watched ?? endpoint.changesWith;
    const success = this.#success(endpoint);
    const rights = requiredRights(endpoint);
    return {
      operationId: operationId(endpoint),
      tags: [endpoint.tag.name],
      summary: endpoint.summary,
      ...(description && { description }),
      security: security(endpoint),
      ...(rights.length > 0 && { 'x-requires': rights }),
      ...(eventType !== undefined && { 'x-event-type': eventType }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: {
          required: !isOptional(body),
          content: { [bodyTypeOf(endpoint)]: this.#content(endpoint, body) },
        },
      }),
      responses: {
        ...Object.fromEntries([status, ...alternativeStatuses].map((each) => [each, success])),
        ...(preferred && { [preferred.status ?? 200]: this.#success(preferred) }),
        ...this.#errors.of(endpoint),
      },
    };
  }

  /** HEAD has the status and the headers of GET. */
  buildHead(endpoint: AnyEndpoint): Json {
    const { responses, ...operation } = this.build(endpoint);
    const bare = Object.entries(responses as Record<string, Json>).map(([status, { headers }]) => [
      status,
      { description: `As of GET, without the body.`, ...(headers !== undefined && { headers }) },
    ]);
    return {
      ...operation,
      operationId: operationId({ ...endpoint, method: 'HEAD' }),
      summary: endpoint.head,
      responses: Object.fromEntries(bare),
    };
  }

  #success(endpoint: AnyEndpoint): Json {
    const { exampleText, produces = 'application/json', response } = endpoint;
    const named = {
      ...(takesIdempotencyKey(endpoint) && { 'Idempotent-Replayed': 'IdempotentReplayed' }),
      ...(isStream(endpoint) && isOfJob(endpoint) && { 'X-Job-Id': 'JobId', 'X-Resource-Id': 'ResourceId' }),
      ...(endpoint.preference && {
        'X-Job-Id': 'JobId',
        'X-Resource-Id': 'ResourceId',
        Location: 'JobAddress',
        'Preference-Applied': 'PreferenceApplied',
      }),
      ...(endpoint.method === 'GET' && endpoint.response && { 'X-Incomplete': 'Incomplete' }),
      ...(endpoint.method !== 'GET' && { 'X-Ignored': 'Ignored' }),
      ...(endpoint.listRows && { 'X-Total-Count': 'TotalCount', Link: 'NextPage' }),
    };
    const fields = Object.entries(named).map(([name, of]) => [name, { $ref: `#/components/headers/${of}` }]);
    const headers = fields.length > 0 && { headers: Object.fromEntries(fields) };
    if (response !== undefined) {
      return {
        description: describe(endpoint, response),
        ...headers,
        content: { [produces]: this.#shown(response, endpoint.example?.()) },
      };
    }
    if (isRedirect(endpoint)) return { description: 'The browser is sent to another address.', ...headers };
    if (endpoint.produces === undefined) return { description: 'Done; there is no body.', ...headers };
    const text = { schema: { type: 'string' }, ...(exampleText && { example: exampleText }) };
    const description = isStream(endpoint) ? 'Events.' : `A text of the type \`${produces}\`.`;
    return { description, ...headers, content: { [produces]: text } };
  }

  #content(endpoint: AnyEndpoint, schema: Schema): Json {
    const reference = this.#schemas.refer(schema);
    const given = this.#schemas.givenExample(schema);
    return { schema: reference, example: this.#examples.build(reference, resourceOf(endpoint), given) };
  }

  #shown(response: Shape<unknown>, differing?: Json): Json {
    return { schema: this.#schemas.referShape(response), example: exampleOf(response, differing) };
  }

  #parametersOf(where: 'path' | 'query', endpoint: AnyEndpoint, schema: Schema | undefined): Json[] {
    if (schema === undefined) return [];
    const { properties = {}, required = [] } = this.#schemas.inline(schema) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    const fields = fieldsOf(schema);
    const shown = where === 'query' ? this.#shownValues(endpoint) : {};
    const ofSchema = (this.#schemas.givenExample(schema) ?? {}) as Json;
    const given = (name: string) => {
      const field = fields.get(name);
      return shown[name] ?? ofSchema[name] ?? (field && this.#schemas.givenExample(field));
    };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: property,
      example: this.#examples.field(name, property, resourceOf(endpoint), given(name)),
    }));
  }

  /** The values that the filters of a list have in the example of its rows. */
  #shownValues(endpoint: AnyEndpoint): Json {
    const { listRows, response } = endpoint;
    if (listRows === undefined || response === undefined) return {};
    const { example } = this.#shown(response, endpoint.example?.());
    const columns = columnsOf(example as unknown[]);
    return Object.fromEntries(
      [...listRows.filters].map(([name, [field = '']]) => [
        name,
        [columns.column(field)[0]].flat()[0] || undefined,
      ]),
    );
  }
}

/** Says what a successful response is. */
function describe(endpoint: AnyEndpoint, response: Shape<unknown>): string {
  if (endpoint.preference !== undefined) return 'The job, with `Prefer: respond-async`.';
  if (isStream(endpoint)) return `Events, whose data is ${kindOf(response)}.`;
  const item = itemOf(response);
  const what = item === undefined ? kindOf(response) : `a list, each row ${kindOf(item)}`;
  const { status = 200 } = endpoint;
  const happened = { 201: 'Created: ', 202: 'Accepted: ' }[status] ?? '';
  const sentence = `${happened}${what}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** A schema in words: its name, its kinds, else its fields. */
function kindOf(schema: Shape<unknown>): string {
  const kinds = kindsOf(schema);
  if (kinds !== undefined) return kinds.map(kindOf).join(' or ');
  const name = nameOf(schema);
  if (name !== undefined) return `${/^[AEIO]/.test(name) ? 'an' : 'a'} \`${name}\``;
  const values = valuesOf(schema);
  if (values !== undefined) return `an object, each value ${kindOf(values)}`;
  const fields = [...fieldsOfShape(schema).keys()].map((field) => `\`${field}\``);
  return fields.length === 0 ? `of the type ${typeOf(schema)}` : `an object with ${fields.join(', ')}`;
}

function bodyTypeOf({ takesForm = false }: AnyEndpoint): string {
  return takesForm ? 'application/x-www-form-urlencoded' : 'application/json';
}

/** Whether a stream has the events of one job. */
function isOfJob({ params, startsJob }: AnyEndpoint): boolean {
  return startsJob !== undefined || params !== undefined;
}

function isRedirect({ status = 200 }: AnyEndpoint): boolean {
  return status >= 300 && status < 400;
}

function headersOf(endpoint: AnyEndpoint): Json[] {
  const own = Object.entries(endpoint.headers ?? {}).map(([name, { description, schema }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  }));
  const shared = [
    ...(takesIdempotencyKey(endpoint) ? ['IdempotencyKey'] : []),
    ...(endpoint.preferred === undefined ? [] : ['Prefer']),
  ];
  return [...own, ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

function security({ access, acceptsTicket }: AnyEndpoint): Json[] {
  if (access === 'public') return [];
  const session = { session: [] };
  if (acceptsTicket === true) return [{ token: [], project: [] }, session, { ticket: [] }];
  return [access === 'token' ? { token: [] } : { token: [], project: [] }, session];
}

/** The kind of resource of an endpoint: `security_group` for `GET /api/security-groups/:sg_id`. */
function resourceOf({ path }: AnyEndpoint): string {
  const [last = ''] = path
    .split('/')
    .filter((part) => !part.startsWith(':'))
    .slice(-1);
  return last.replaceAll('-', '_').replace(/ies$/, 'y').replace(/s$/, '');
}

/** `GET /api/instances/:instance_id` is `getInstancesByInstanceId`. */
function operationId({ method, path }: { method: string; path: string }): string {
  const words = path
    .split('/')
    .slice(2)
    .flatMap((part) => part.replace(/^:/, 'by_').split(/[^A-Za-z0-9]/));
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
