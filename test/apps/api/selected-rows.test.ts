import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, type TestCaller } from '../../support/api/factories.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface Row {
  id: string;
  name: string;
  size: number;
}

const NAMES = ['debian-12', 'Ubuntu 24', 'ubuntu 22', 'rocky-9'];
const UBUNTU = '/api/images?name=ubuntu&sort=name';

function manyImages(names = NAMES, delayMs = 0) {
  const [image] = fixtureBody<object[]>('image/images', 'images');
  const images = names.map((name, number) => ({ ...image, id: `image-${number}`, name, size: number }));
  return { body: { images }, delayMs };
}

const namesOf = (rows: Row[]) => rows.map(({ name }) => name);

describe('rows of a cached list', () => {
  const suite = apiSuite();
  let caller: TestCaller;

  beforeEach(() => {
    caller = newCaller();
  });

  /** The cloud answers one list after the other, and no further ones. */
  function expectLists(...lists: ReturnType<typeof manyImages>[]): void {
    suite.cloud.validCaller(caller);
    for (const list of lists) suite.cloud.reply('image/images', list);
  }

  const get = <T = Row[]>(api: TestApi, path: string, headers: Record<string, string> = {}) =>
    api.get<T>(path, { as: caller, headers });

  it('are selected without a call, and leave the list as it was', async () => {
    const api = await suite.start();
    expectLists(manyImages());
    const before = await get(api, '/api/images');

    const selected = await get(api, UBUNTU);

    const after = await get(api, '/api/images');
    assert.deepEqual(namesOf(selected.body), ['ubuntu 22', 'Ubuntu 24']);
    assert.equal(selected.headers['x-total-count'], '2');
    assert.equal(after.text, before.text);
    for (const { headers } of [before, after]) {
      assert.equal(headers.etag, before.headers.etag);
      assert.deepEqual([headers.link, headers['x-total-count']], [undefined, undefined]);
    }
  });

  it('are selected after the token is checked, also by known queries', async () => {
    const api = await suite.start();
    expectLists(manyImages());
    await get(api, UBUNTU);
    const stranger = newCaller();
    suite.cloud.rejectsToken(stranger.token);
    const invalid = '/api/images?limit=0';

    const answers = [
      await get<ErrorBody>(api, invalid),
      await get<ErrorBody>(api, invalid),
      await api.get<ErrorBody>(UBUNTU, { as: stranger }),
      await api.get<ErrorBody>(invalid, { as: stranger }),
    ];

    assert.deepEqual(
      answers.map(({ body }) => body.code),
      ['invalid_input', 'invalid_input', 'unauthorized', 'unauthorized'],
    );
  });

  it('load the list once, for all concurrent selections and processes', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    expectLists(manyImages(NAMES, 50));
    await get(api, '/api/auth/me');

    const queries = ['?limit=1', '?name=ubuntu', '?sort=size:desc', ''];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        get(index % 2 === 0 ? api : other, `/api/images${queries[index % queries.length]}`),
      ),
    );

    assert.deepEqual(
      answers.slice(0, 4).map(({ body }) => body.length),
      [1, 2, 4, 4],
    );
    assert.equal(suite.cloud.calls().filter((call) => call.includes('/images')).length, 1);
  });

  it('are sorted by several fields in both directions, equal ones by id', async () => {
    const api = await suite.start();
    expectLists(manyImages(['b', 'a', 'B', 'a']));
    const order = async (sort: string) =>
      (await get(api, `/api/images?sort=${sort}`)).body.map(({ size }) => size).join('');

    assert.equal(await order('name'), '1302');
    assert.equal(await order('name:desc'), '0213');
    assert.equal(await order('name,size:desc'), '3120');
    assert.equal(await order('name:asc,size'), '1302');
  });

  it('of a page link to the next one, without refresh', async () => {
    const api = await suite.start();
    expectLists(manyImages(), manyImages(['ubuntu 1', 'ubuntu 2', 'ubuntu 3']));
    await get(api, '/api/images');

    const first = await get(api, `${UBUNTU}&limit=2&refresh=true`);

    const [, next] = /^<(.+)>; rel="next"$/.exec(String(first.headers.link)) ?? [];
    const last = await get(api, `/api/images${next}`);
    assert.deepEqual(
      [first, last].map(({ body }) => namesOf(body)),
      [['ubuntu 1', 'ubuntu 2'], ['ubuntu 3']],
    );
    assert.deepEqual(
      [first, last].map(({ headers }) => headers['x-total-count']),
      ['3', '3'],
    );
    assert.equal(last.headers.link, undefined);
  });

  it('are 304 for readers who have them, and only for these', async () => {
    const api = await suite.start();
    expectLists(manyImages(), manyImages(['ubuntu 26']));
    const whole = await get(api, '/api/images');
    const { headers } = await get(api, UBUNTU);
    const etag = String(headers.etag);
    const ifNot = { 'if-none-match': etag };

    const known = await get(api, UBUNTU, ifNot);
    const otherRows = await get(api, '/api/images?name=rocky', ifNot);
    const changed = await get(api, `${UBUNTU}&refresh=true`, ifNot);

    assert.notEqual(etag, whole.headers.etag);
    assert.deepEqual([known.status, known.text, known.headers['x-total-count']], [304, '', '2']);
    assert.deepEqual([otherRows.status, namesOf(otherRows.body)], [200, ['rocky-9']]);
    assert.deepEqual([changed.status, namesOf(changed.body)], [200, ['ubuntu 26']]);
  });

  it('are those of the current list after a change', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    expectLists(manyImages(), manyImages(['ubuntu 26']));
    for (const at of [api, other]) assert.equal((await get(at, UBUNTU)).body.length, 2);

    await other.context.cache.drop({ list: 'images', projectId: caller.projectId });

    for (const at of [api, other]) assert.deepEqual(namesOf((await get(at, UBUNTU)).body), ['ubuntu 26']);
  });

  it('are separate for each project', async () => {
    const api = await suite.start();
    const stranger = inOtherProject(caller);
    expectLists(manyImages());
    suite.cloud.acceptsToken(stranger).reply('image/images', manyImages(['ubuntu of another project']));

    for (let round = 0; round < 2; round += 1) {
      assert.equal((await get(api, UBUNTU)).body.length, 2);
      const foreign = await api.get<Row[]>(UBUNTU, { as: stranger });
      assert.deepEqual(namesOf(foreign.body), ['ubuntu of another project']);
    }
  });

  it('are 400 for what selects nothing, cached or not', async () => {
    const api = await suite.start();
    expectLists(manyImages());
    const wrong = {
      limit: ['0', '1001', 'x', '1.5'],
      sort: ['unknown', 'name:up', 'name:desc:asc', 'name,', ''],
      marker: ['unknown', ''],
      name: [''],
      states: ['active'],
    };

    for (let round = 0; round < 2; round += 1) {
      for (const [name, values] of Object.entries(wrong)) {
        for (const value of values) {
          const { body, status } = await get<ErrorBody>(api, `/api/images?${name}=${value}`);
          assert.deepEqual(
            [status, body.code, body.errors?.map(({ field }) => field)],
            [400, 'invalid_input', [`query.${name}`]],
            `${name}=${value}`,
          );
        }
      }
      await get(api, '/api/images');
    }
  });
});

describe('rows of a list while Redis is unavailable', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const redis = killableRedis();

  it('are selected from the list that the process has read', async () => {
    const api = await suite.start({ redisUrl: redis.url, settings: { cache: { transition_seconds: 3600 } } });
    await redis.killAndWait(api);
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images', manyImages());

    const selected = await api.get<Row[]>(`${UBUNTU}&limit=1`, { as: caller });
    const whole = await api.get<Row[]>('/api/images', { as: caller });

    assert.deepEqual(namesOf(selected.body), ['ubuntu 22']);
    assert.equal(selected.headers['x-total-count'], '2');
    assert.equal(whole.body.length, NAMES.length);
  });
});
