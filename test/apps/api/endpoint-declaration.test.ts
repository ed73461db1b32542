import assert from 'node:assert/strict';
import { idParamOf, resourcesOfParam } from '@gateway/core';
import { fieldsOf, itemOf, listOf, nameOf, number, shapeLike, text } from '@gateway/core/shapes';
import { volumeList } from '@gateway/resources';
import Joi from 'joi';
import { servesList } from '../../../apps/api/src/pipeline/cached-list.ts';
import { type AnyEndpoint, type Endpoint, endpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import { effectsOf } from '../../../apps/api/src/pipeline/writes.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { RequestOptions } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { type ApiOptions, apiSuite } from '../../support/api/suite.ts';
import { testEndpoints } from '../../support/api/test-endpoint.ts';

/** Endpoints declared in the tests, because every declared endpoint must behave the same. */
describe('an endpoint', () => {
  const suite = apiSuite();
  const own = testEndpoints(suite);

  /** Serves one endpoint with defaults for all but these properties. */
  async function serve(parts: Partial<Endpoint>, options: ApiOptions = {}) {
    const api = await suite.start(options);
    const { call } = await own.serve(api, parts);
    return { api, call: (request: RequestOptions = {}, query = '') => call(request, `t-1${query}`) };
  }

  it('for administrators is 403 for all others, before its input is validated', async () => {
    const { call } = await serve({ access: 'admin', body: Joi.object({ size: Joi.number().required() }) });
    const member = suite.cloud.validCaller(newCaller({ roles: ['member', 'reader'] }));

    const answer = await call({ as: member, body: {} });

    assert.equal(answer.status, 403);
    assert.equal(answer.body.code, 'forbidden');
  });

  it('for administrators allows callers with the configured role in the project', async () => {
    const settings = { identity: { admin_role: 'cloud-boss' } };
    const { call } = await serve({ access: 'admin' }, { settings });
    const boss = suite.cloud.validCaller(newCaller({ roles: ['cloud-boss'] }));
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

    assert.equal((await call({ as: boss })).status, 200);
    assert.equal((await call({ as: admin })).status, 403);
  });

  it('of a disabled service is 404, before the token is validated', async () => {
    const { call } = await serve({ service: 'container' }, { settings: { services: { container: false } } });

    const answer = await call();

    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, 'service_disabled');
  });

  it('of an enabled service exists', async () => {
    const { call } = await serve({ service: 'container' }, { settings: { services: { container: true } } });

    assert.equal((await call()).status, 401);
  });

  it('with an unexpected error is a 500 without details, and logs it', async () => {
    const { api, call } = await serve({
      access: 'public',
      handler: async () => {
        throw new TypeError('Cannot read properties of undefined (reading "secret")');
      },
    });

    const answer = await call();

    assert.equal(answer.status, 500);
    assert.equal(answer.body.code, 'internal_error');
    assert.doesNotMatch(answer.text, /secret|undefined|TypeError/);
    const [line] = api.log.withMessage('Request failed');
    assert.equal(line?.level, 'error');
    assert.equal(line?.request_id, answer.body.request_id);
  });

  it('converts path and query parameters to their types', async () => {
    const seen: object[] = [];
    const { call } = await serve({
      access: 'public',
      method: 'GET',
      params: Joi.object({ thing_id: Joi.string().required() }),
      query: Joi.object({ limit: Joi.number().integer().min(1).max(100).default(20) }),
      handler: async ({ params, query }) => {
        seen.push({ ...(params as object), ...(query as object) });
        return { is: 'read' };
      },
    });

    await call();
    await call({}, '?limit=5');
    const refused = await call({}, '?limit=1e3');

    assert.deepEqual(seen, [
      { thing_id: 't-1', limit: 20 },
      { thing_id: 't-1', limit: 5 },
    ]);
    assert.equal(refused.status, 400);
  });

  it('with a body schema requires a body, and passes only declared fields', async () => {
    const seen: unknown[] = [];
    const inner = Joi.object({ size: Joi.number(), note: Joi.string().allow(null) });
    const { call } = await serve({
      access: 'public',
      body: Joi.object({
        one: inner,
        many: Joi.array().items(inner),
        labels: Joi.object().pattern(/./, inner),
      }),
      handler: async ({ body }) => {
        seen.push(body);
        return { is: 'taken' };
      },
    });
    const item = { size: null, note: null, other: 1 };

    const none = await call({});
    const nothing = await call({ rawBody: 'null', headers: { 'content-type': 'application/json' } });
    await call({ body: { one: item, many: [item, {}], labels: { a: item }, other: [null] } });
    await call({ body: { one: null, many: null, labels: null } });

    for (const answer of [none, nothing]) {
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.errors, [{ field: 'body', message: 'is required' }]);
      assert.equal(answer.body.detail, 'The request is not valid: the body is required.');
    }
    assert.deepEqual(seen, [
      { one: { note: null }, many: [{ note: null }, {}], labels: { a: { note: null } } },
      {},
    ]);
  });

  for (const outcome of ['succeeds', 'fails'] as const) {
    it(`that ${outcome} drops affected lists before its response`, async () => {
      const { api, call } = await serve({
        writes: { resource: 'image', as: 'updated' },
        handler: async () => {
          if (outcome === 'fails') throw new TypeError('The connection broke.');
          return { is: 'changed' };
        },
      });
      const caller = suite.cloud.validCaller(newCaller());
      suite.cloud.reply('image/images').reply('image/images', { body: { images: [] } });
      suite.cloud.reply('compute/flavors');
      await api.get('/api/images', { as: caller });
      await api.get('/api/flavors', { as: caller });

      const answer = await call({ as: caller });

      const images = await api.get('/api/images', { as: caller });
      const flavors = await api.get('/api/flavors', { as: caller });
      assert.equal(answer.status, outcome === 'fails' ? 500 : 200);
      assert.deepEqual(images.body, []);
      assert.equal(flavors.status, 200);
    });
  }

  it('without a response schema has no body', async () => {
    const { call } = await serve({ access: 'public', response: undefined, status: 204 });

    const answer = await call();

    assert.equal(answer.status, 204);
    assert.equal(answer.text, '');
    assert.equal(answer.headers['content-type'], undefined);
  });

  it('is cacheable only by its reader, and not at all with secrets', async () => {
    const open = await serve({ access: 'public' });
    const secret = await serve({ access: 'public', secret: true });

    assert.equal((await open.call()).headers['cache-control'], 'private, no-cache');
    assert.equal((await secret.call()).headers['cache-control'], 'no-store');
  });
});

describe('a shape', () => {
  interface Thing {
    id: string;
    weight: number;
    note?: string;
  }

  const fields = { id: text(), weight: number(), note: text().optional() };
  const thingShape = shapeLike<Thing>('Thing', fields);
  const declared = {
    method: 'GET',
    path: '/api/things',
    tag: { name: 'things', description: 'Things' },
    summary: 'Things',
    access: 'project',
  } as const;

  it('requires its fields unless they are optional', () => {
    assert.equal(thingShape.safeParse({ id: 't-1', weight: 1 }).success, true);
    assert.match(thingShape.safeParse({ id: 't-1' }).error?.message ?? '', /"weight"/);
  });

  it('has exactly the fields of its type', () => {
    // @ts-expect-error a missing field
    shapeLike<Thing>('Thing', { id: text(), weight: number() });
    // @ts-expect-error an additional field
    shapeLike<Thing>('Thing', { ...fields, name: text() });
    // @ts-expect-error a field of another kind
    shapeLike<Thing>('Thing', { ...fields, weight: text() });
    // @ts-expect-error no type
    const untyped = () => shapeLike('Thing', fields);

    assert.deepEqual([...fieldsOf(untyped()).keys()], ['id', 'weight', 'note']);
  });

  it('decides what the handler of its endpoint returns', () => {
    const things = endpoint({
      ...declared,
      response: listOf(thingShape),
      handler: async () => [{ id: 't-1', weight: 1 }],
    });
    // @ts-expect-error a list without a field of its rows
    endpoint({ ...declared, response: listOf(thingShape), handler: async () => [{ id: 't-1' }] });
    // @ts-expect-error one row in place of a list
    endpoint({ ...declared, response: listOf(thingShape), handler: async () => ({ id: 't-1', weight: 1 }) });
    // @ts-expect-error a result without a shape
    endpoint({ ...declared, handler: async () => ({ id: 't-1', weight: 1 }) });
    // @ts-expect-error the cached list of other rows
    endpoint({ ...declared, response: listOf(thingShape), ...servesList(volumeList) });

    assert.equal(nameOf(itemOf(things.response ?? thingShape) ?? thingShape), 'Thing');
  });
});

describe('every endpoint that writes', () => {
  const named = (unfit: readonly AnyEndpoint[]) => unfit.map(({ method, path }) => `${method} ${path}`);

  it('declares what it writes, unless it leaves that to a job', () => {
    const silent = endpoints.filter(
      ({ method, startsJob, writes }) =>
        (method !== 'GET') !== (writes !== undefined || startsJob !== undefined),
    );

    assert.deepEqual(named(silent), []);
  });

  it('knows which resource it creates or deletes', () => {
    const unknown = endpoints.filter((endpoint) =>
      effectsOf(endpoint).some(({ as, id, resource }) => {
        const isInPath = endpoint.path.includes(`/:${idParamOf(resource)}`);
        const isInResponse = endpoint.response !== undefined && fieldsOf(endpoint.response).has('id');
        if (id !== undefined) return false;
        return (as === 'created' && !isInResponse) || (as === 'deleted' && !isInPath);
      }),
    );

    assert.deepEqual(named(unknown), []);
  });

  it('says of each resource only once what it does', () => {
    const repeated = endpoints.filter((endpoint) => {
      const names = effectsOf(endpoint).flatMap(({ resource, touches = [] }) => [resource, ...touches]);
      return new Set(names).size < names.length;
    });

    assert.deepEqual(named(repeated), []);
  });

  it('deletes with DELETE what its path ends with', () => {
    const undeclared = endpoints.filter((endpoint) => {
      const param = endpoint.path.split('/:').at(-1) ?? '';
      const deleted = effectsOf(endpoint).filter(({ as }) => as === 'deleted' || as === 'deleting');
      const isOfResource = resourcesOfParam(param).some((resource) =>
        effectsOf(endpoint).some((effect) => effect.resource === resource),
      );
      return endpoint.method === 'DELETE' && isOfResource && deleted.length === 0;
    });

    assert.deepEqual(named(undeclared), []);
  });
});
