import assert from 'node:assert/strict';
import { clusterScalingProgress } from '@gateway/jobs';
import { createDocument } from '../../../apps/api/src/openapi/document.ts';
import { documentedPath } from '../../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema; example?: unknown }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  'x-internal'?: boolean;
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

interface Found {
  /** As generators name it: the words of its parent and of its field. */
  name: string;
  /** The name of the field. */
  field: string;
  schema: Schema;
  isComponent: boolean;
}

const { components, paths, webhooks } = (await createDocument(endpoints, '0')) as unknown as Document;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const all = [...schemasOf()];

// What common generators of clients do not read, or read as something else. `npm run test:generators` runs
// the generators themselves.
describe('the OpenAPI document, for generators of clients', () => {
  it('has null only beside a type or a reference', () => {
    for (const { name, schema } of all) {
      if (schema.type === 'null') assert.fail(name);
      const { anyOf } = schema;
      if (anyOf?.some(({ type }) => type === 'null') !== true) continue;
      assert.equal(anyOf.length, 2, name);
      assert.ok(anyOf[0]?.$ref, name);
    }
  });

  it('has one pattern for each text, without classes of Unicode', () => {
    for (const { name, schema } of all) {
      assert.doesNotMatch(schema.pattern ?? '', /\\[pP]\{|\\u202[89]|\\ud[89a-f]/, name);
      assert.equal(schema.allOf, undefined, name);
    }
  });

  it('names each set of values that several fields have', () => {
    const uses = Map.groupBy(
      all.filter(({ schema, isComponent }) => (valuesOf(schema)?.length ?? 0) > 1 && !isComponent),
      ({ schema }) => JSON.stringify(valuesOf(schema)),
    );
    const named = new Set(
      Object.values(components.schemas).map((schema) => JSON.stringify(valuesOf(schema))),
    );
    for (const [values, fields] of uses) {
      const names = fields.map(({ name }) => name);
      assert.equal(fields.length, 1, `${values} in ${names}`);
      assert.ok(!named.has(values), `${values} in ${names} has a name elsewhere`);
    }
  });

  it('has no field whose type would get the name of another', () => {
    const names = Object.keys(components.schemas);
    for (const { name, schema, isComponent } of all) {
      if (isComponent || (schema.enum ?? schema.properties) === undefined) continue;
      assert.ok(!names.includes(name), name);
      names.push(name);
    }
  });

  it('names no type as the function that makes another, in Go', () => {
    for (const name of Object.keys(components.schemas)) {
      assert.ok(!(`New${name}` in components.schemas), `New${name}`);
    }
  });

  it('has formats for times and days, and no patterns', () => {
    const times = all.filter(({ field }) => /_at$|^timestamp$/.test(field));
    assert.ok(times.length > 90);
    for (const { name, schema } of times) {
      // A builder of libraries reports this in its own words.
      if (name.endsWith('ManifestBuiltAt')) continue;
      assert.equal(schema.format, 'date-time', name);
    }
    for (const { name, schema } of all) assert.doesNotMatch(schema.pattern ?? '', /^\^\\d\{4\}-/, name);
  });

  it('says which of several kinds a row is', () => {
    const choices = all.filter(({ schema }) => schema.oneOf !== undefined);
    assert.ok(choices.length > 0);
    for (const { name, schema } of choices) {
      const { mapping = {}, propertyName = '' } = schema.discriminator ?? {};
      assert.deepEqual(
        Object.values(mapping),
        schema.oneOf?.map(({ $ref }) => $ref),
        name,
      );
      for (const [value, reference] of Object.entries(mapping)) {
        assert.deepEqual(componentAt(reference).properties?.[propertyName]?.enum, [value]);
      }
    }
  });

  it('names responses in a few words, and says what each is', () => {
    for (const name of Object.keys(components.responses)) {
      assert.ok(name.split(/(?=[A-Z])/).length <= 8, name);
    }
    const success = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses).filter(([status]) => status < '300'),
    );
    const descriptions = success.map(([, { description = '' }]) => description);
    assert.ok(new Set(descriptions).size > 100);
    for (const description of descriptions) assert.doesNotMatch(description, /answer/i);
  });

  it('has one schema for errors', () => {
    const failures = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses).filter(([status, { content }]) => status >= '400' && content),
    );
    for (const [, { content }] of [...failures, ...Object.entries(components.responses)]) {
      // What is not well is no error.
      if (content?.['application/json']?.schema?.$ref === '#/components/schemas/Health') continue;
      assert.deepEqual(content?.['application/json']?.schema, { $ref: '#/components/schemas/Error' });
    }
  });

  it('has no group of more than forty operations', () => {
    const groups = Map.groupBy(operations, ({ operation }) => operation.tags.join());
    for (const [tag, members] of groups) assert.ok(members.length <= 40, `${tag}: ${members.length}`);
  });

  it('hides from them what clients do not send', () => {
    const sent = Object.values(webhooks).flatMap((methods) => Object.values(methods));

    assert.ok(sent.length > 0);
    for (const { operationId, 'x-internal': isHidden } of sent) assert.equal(isHidden, true, operationId);
  });

  it('declares HEAD where clients use it', () => {
    const kubeconfig = paths['/api/lite/clusters/{cluster_id}/kubeconfig'];

    assert.deepEqual(
      Object.keys(kubeconfig?.head?.responses ?? {}),
      Object.keys(kubeconfig?.get?.responses ?? {}),
    );
    for (const { content } of Object.values(kubeconfig?.head?.responses ?? {}))
      assert.equal(content, undefined);
  });

  it('has the steps of each stream of a lite cluster', () => {
    const { post } = paths['/api/lite/clusters/{cluster_id}/scale/async'] ?? {};
    const { schema } = post?.responses['200']?.content?.['text/event-stream'] ?? {};

    const { step } = componentAt(schema?.$ref).properties ?? {};

    assert.deepEqual(step?.enum, Object.keys(clusterScalingProgress));
  });
});

describe('the examples of the OpenAPI document', () => {
  it('name only paths of the document', () => {
    const routes = [...JSON.stringify(operations).matchAll(/"route":"([^"]+)"/g)].map(([, route]) => route);

    assert.ok(routes.length >= 2);
    for (const route of routes) assert.ok(route !== undefined && route in paths, route);
    assert.equal(documentedPath('/api/volumes/:volume_id'), '/api/volumes/{volume_id}');
  });

  it('have a fault only beside the status ERROR', () => {
    const shown = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ content = {} }) =>
        Object.values(content).flatMap(({ example }) => instancesIn(example)),
      ),
    );

    assert.ok(shown.length > 2);
    for (const { fault, status } of shown) assert.equal(fault !== null, status === 'ERROR');
  });
});

function instancesIn(example: unknown): { fault: unknown; status: unknown }[] {
  if (typeof example !== 'object' || example === null) return [];
  const own = 'fault' in example && 'status' in example ? [example] : [];
  return [...own, ...Object.values(example).flatMap(instancesIn)];
}

/** The values without null, if only some are allowed. */
function valuesOf(schema: Schema): unknown[] | undefined {
  return schema.enum?.filter((value) => value !== null);
}

function componentAt(reference = ''): Schema {
  return components.schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
}

function* schemasOf(): Generator<Found> {
  for (const [name, schema] of Object.entries(components.schemas)) yield* within(name, name, schema, true);
  for (const { operation } of operations) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    for (const { name: field, schema } of parameters) {
      if (schema !== undefined) yield* within(name + pascal(field), field, schema);
    }
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      yield* within(`${name}Body`, '', schema);
    for (const [status, { content = {} }] of Object.entries(responses)) {
      for (const { schema } of Object.values(content)) {
        if (schema !== undefined) yield* within(`${name}Response${status}`, '', schema);
      }
    }
  }
}

function* within(name: string, field: string, schema: Schema, isComponent = false): Generator<Found> {
  yield { name, field, schema, isComponent };
  for (const [key, part] of Object.entries(schema.properties ?? {}))
    yield* within(name + pascal(key), key, part);
  if (schema.items !== undefined) yield* within(`${name}Item`, '', schema.items);
  const { additionalProperties: values } = schema;
  if (typeof values === 'object') yield* within(`${name}AdditionalProperty`, '', values);
  // The kinds beside a reference or null.
  for (const part of schema.anyOf ?? []) {
    if (part.type !== 'null' && part.$ref === undefined) yield* within(`${name}Kind`, '', part);
  }
}

function pascal(field: string): string {
  return field
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
