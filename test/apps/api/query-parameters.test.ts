import assert from 'node:assert/strict';
import type { AnyEndpoint } from '../../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

const OPTIONAL = { container_infra: true, container: true, lite: true };

interface Described {
  type: string;
  allow?: unknown[];
  flags?: { only?: boolean };
}

describe('query parameters', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  let admin: TestCaller;

  beforeEach(() => {
    admin = suite.cloud.validCaller(newCaller({ roles: ['admin', 'member'] }));
  });

  /** The errors of a request whose query is not valid. */
  async function refused(
    api: TestApi,
    { access, body, method, path, takesForm }: AnyEndpoint,
    query: string,
  ) {
    const as = access === 'public' ? undefined : admin;
    const target = path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000');
    const answer = await api.request<ErrorBody>(method, `${target}?${query}`, {
      as,
      ...(body !== undefined && !takesForm && { body: {} }),
    });
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_input'], `${method} ${path}?${query}`);
    return (answer.body.errors ?? []).map(({ field }) => field);
  }

  it('that are not declared are 400 and named, at every read', async () => {
    const api = await suite.start({ settings: { services: OPTIONAL } });

    for (const each of endpoints.filter(({ method }) => method === 'GET')) {
      const fields = await refused(api, each, 'volume_idd=1&_=123');
      const named = fields.filter((field) => field.startsWith('query.'));
      assert.ok(named.includes('query.volume_idd') && named.includes('query._'), `${each.path}: ${fields}`);
    }
  });

  it('with invalid values are 400 and named, at every endpoint', async () => {
    const api = await suite.start({ settings: { services: OPTIONAL } });
    let count = 0;

    for (const each of endpoints) {
      const keys = (each.query?.describe().keys ?? {}) as Record<string, Described>;
      for (const [name, { flags, type }] of Object.entries(keys)) {
        const isAnyText = type === 'string' && flags?.only !== true;
        if (isAnyText) continue;
        const fields = await refused(api, each, `${name}=ab-`);
        assert.ok(fields.includes(`query.${name}`), `${each.path}: ${fields}`);
        count += 1;
      }
    }
    assert.ok(count > 30, `${count} parameters were tried`);
  });

  it('of every read may be `refresh`, also where nothing is cached', async () => {
    const api = await suite.start({ settings: { services: OPTIONAL } });
    const spellings = ['true', 'True', 'FALSE', '1', '0', ''];

    for (const [index, each] of endpoints.filter(({ method }) => method === 'GET').entries()) {
      // Another parameter is refused, so that no call is made.
      const fieldsWith = (value: string) => refused(api, each, `refresh=${value}&volume_idd=1`);
      const fields = await fieldsWith(spellings[index % spellings.length] ?? '');
      assert.ok(!fields.includes('query.refresh'), `${each.path}: ${fields}`);
      assert.ok((await fieldsWith('perhaps')).includes('query.refresh'), each.path);
    }
  });

  it('may be `refresh` in any spelling of a boolean', async () => {
    const api = await suite.start();
    for (const value of ['true', 'True', 'FALSE', '1', '0', '']) {
      const answer = await api.get(`/api/auth/session-info?refresh=${value}`, { as: admin });
      assert.equal(answer.status, 200, answer.text);
    }
  });

  it('are checked although the list is cached', async () => {
    const api = await suite.start();
    suite.cloud.reply('image/images');
    const read = (query = '') => api.get<ErrorBody>(`/api/images${query}`, { as: admin });

    for (const query of ['', '']) assert.equal((await read(query)).status, 200);

    const answer = await read('?limits=1');
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors, [
      { field: 'query.limits', message: 'is not a parameter of this request' },
    ]);
    assert.match(answer.body.detail, /limits is not a parameter of this request/);
    assert.equal((await read('?refresh=perhaps')).body.errors?.[0]?.field, 'query.refresh');
    assert.equal((await read('?')).status, 200);
  });
});
