import assert from 'node:assert/strict';
import { checkRoutes, type Exceptions } from '../../scripts/check-routes/check.ts';
import type { ContractEndpoint } from '../../scripts/check-routes/contract.ts';
import type { Document, Operation } from '../../scripts/check-routes/openapi.ts';

const NONE: Exceptions = { DEVIATIONS: [], NOT_SERVED: [] };

const wanted: ContractEndpoint = {
  endpoint: 'POST /api/things/{thing_id}',
  area: 'things',
  token: true,
  service: 'shared_fs',
  query: { length: { type: ['integer'], isRequired: false, default: 100, minimum: 0 } },
  body: {
    name: { type: ['string'], isRequired: true, maxLength: 255 },
    kind: { type: ['string'], enum: ['a', 'b'] },
    tags: { type: ['array'], items: { type: ['string'] } },
  },
  status: 201,
  errors: [404],
  response: {
    type: ['object'],
    properties: { id: { type: ['string'] }, rows: { type: ['array'], items: { type: ['number'] } } },
    required: ['id', 'rows'],
  },
};

function operation(): Operation {
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  return {
    security: [{ token: [] }],
    parameters: [
      { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'length', in: 'query', required: false, schema: { type: 'integer', default: 100, minimum: 0 } },
    ],
    requestBody: content({
      properties: {
        name: { type: 'string', maxLength: 255 },
        kind: { type: 'string', enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['name'],
    }),
    responses: { 201: content({ $ref: '#/components/schemas/Thing' }), 404: {} },
  };
}

function thing() {
  return {
    type: 'object',
    properties: { id: { type: 'string' }, rows: { type: 'array', items: { type: 'integer' } } },
    required: ['id', 'rows'],
  };
}

function documentOf(post: Operation, Thing: object = thing()): Document {
  return { paths: { '/api/things/{thing_id}': { post } }, components: { schemas: { Thing } } } as Document;
}

/** The differences after a change of a document that fits, without the name of the endpoint. */
function differences(change: (operation: Operation, shape: ReturnType<typeof thing>) => void): string[] {
  const [post, shape] = [operation(), thing()];
  change(post, shape);
  const found = checkRoutes([wanted], documentOf(post, shape), NONE);
  return found.map((one) => one.replace(`${wanted.endpoint}: `, ''));
}

function bodyOf(post: Operation) {
  const schema = post.requestBody?.content['application/json']?.schema;
  assert.ok(schema?.properties && schema.required);
  return { properties: schema.properties, required: schema.required };
}

describe('the check of the routes', () => {
  it('finds nothing in a document that fits', () => {
    assert.deepEqual(
      differences(() => {}),
      [],
    );
  });

  const changes: [string, string, Parameters<typeof differences>[0]][] = [
    ['a public endpoint', 'requires a token: false', (post) => post.security.splice(0)],
    ['a missing status', 'does not answer 404', (post) => delete post.responses[404]],
    ['another path parameter', 'has the path parameters ', (post) => post.parameters?.splice(0, 1)],
    ['a missing query parameter', 'has no field length', (post) => post.parameters?.splice(1, 1)],
    [
      'another default',
      'length is 50 by default, not 100',
      (post) => Object.assign(post.parameters?.[1]?.schema ?? {}, { default: 50 }),
    ],
    [
      'another minimum',
      'length has the minimum 1, not 0',
      (post) => Object.assign(post.parameters?.[1]?.schema ?? {}, { minimum: 1 }),
    ],
    ['a missing field', 'has no field kind', (post) => delete bodyOf(post).properties.kind],
    ['an optional field', 'name is required: false', (post) => bodyOf(post).required.splice(0)],
    ['an additional field', 'requires more in addition', (post) => bodyOf(post).required.push('more')],
    [
      'another type',
      'name is integer, not string',
      (post) => Object.assign(bodyOf(post).properties.name ?? {}, { type: 'integer' }),
    ],
    [
      'other items',
      'tags has items of integer, not string',
      (post) => Object.assign(bodyOf(post).properties.tags ?? {}, { items: { type: 'integer' } }),
    ],
    ['another enum', 'kind allows a, not a,b', (post) => bodyOf(post).properties.kind?.enum?.pop()],
    [
      'a missing response field',
      'response.id is missing',
      (_post, shape) => delete (shape.properties as Partial<typeof shape.properties>).id,
    ],
    ['a field that may be absent', 'response.id may be absent', (_post, shape) => shape.required.shift()],
    [
      'another type in an array of the response',
      'response.rows.[] is string, not number',
      (_post, shape) => Object.assign(shape.properties.rows, { items: { type: 'string' } }),
    ],
  ];
  for (const [what, message, change] of changes) {
    it(`finds ${what}`, () => {
      assert.ok(differences(change).includes(message), JSON.stringify(differences(change)));
    });
  }

  it('finds endpoints that are served and not served, listed and not listed', () => {
    const at = wanted.endpoint;
    const empty = { paths: {}, components: { schemas: {} } } as Document;
    const full = documentOf(operation());
    const check = (contract: ContractEndpoint[], document: Document, some: Partial<Exceptions> = {}) =>
      checkRoutes(contract, document, { ...NONE, ...some });
    assert.deepEqual(check([wanted], empty), [`${at} is not served`]);
    assert.deepEqual(check([wanted], empty, { NOT_SERVED: [at] }), []);
    assert.deepEqual(check([wanted], full, { NOT_SERVED: [at] }), [
      `${at} is served: remove it from NOT_SERVED`,
    ]);
    assert.deepEqual(check([], full), []);
    assert.deepEqual(check([], empty, { NOT_SERVED: [at] }), [`${at} is not in the contract`]);
  });

  it('accepts listed deviations, as long as they are there', () => {
    const post = operation();
    delete post.responses[404];
    const deviation = `${wanted.endpoint}: does not answer 404`;
    const exceptions = { ...NONE, DEVIATIONS: [deviation] };
    assert.ok(!checkRoutes([wanted], documentOf(post), exceptions).includes(deviation));
    assert.deepEqual(checkRoutes([wanted], documentOf(operation()), exceptions), [
      `no longer true: ${deviation}`,
    ]);
  });
});
