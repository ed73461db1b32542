import assert from 'node:assert/strict';
import { flavorList, imageLists } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller } from '../../support/api/factories.ts';
import { cacheTtl } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface Row {
  id: string;
  name: string;
}

describe('a cached list', () => {
  const suite = apiSuite();

  it('is read from the cloud once for all processes', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');

    const first = await api.get<Row[]>('/api/images', { as: caller });
    const second = await api.get('/api/images', { as: caller });
    const third = await other.get('/api/images', { as: caller });

    assert.ok(first.body.length > 0);
    assert.equal(second.text, first.text);
    assert.equal(third.text, first.text);
    assert.equal(third.headers.etag, first.headers.etag);
  });

  it('may be cached only by its reader, with revalidation', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');

    const cold = await api.get('/api/images', { as: caller });
    const warm = await api.get('/api/images', { as: caller });

    for (const { headers, text } of [cold, warm]) {
      assert.equal(headers['cache-control'], 'private, no-cache');
      assert.match(String(headers.etag), /^"[\w-]+"$/);
      assert.equal(Number(headers['content-length']), Buffer.byteLength(text));
    }
  });

  it('is 304 only for readers with its entity tag', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');
    const { headers, text } = await api.get('/api/images', { as: caller });
    const etag = String(headers.etag);

    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const known = await api.get('/api/images', { as: caller, headers: { 'if-none-match': tag } });
      assert.equal(known.status, 304, tag);
      assert.equal(known.text, '');
      assert.equal(known.headers.etag, etag);
    }
    for (const tag of ['"other"', etag.slice(0, -2), '']) {
      const unknown = await api.get('/api/images', { as: caller, headers: { 'if-none-match': tag } });
      assert.equal(unknown.status, 200, tag);
      assert.equal(unknown.text, text);
    }
  });

  it('is 400 without a project id, empty or with a cached token', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');
    await api.get('/api/images', { as: caller });
    const missing = { detail: 'The X-Project-Id header is missing.', field: 'header.X-Project-Id' };

    for (const projectId of [null, '', '  ']) {
      const { status, body } = await api.get<ErrorBody>('/api/images', { as: caller, projectId });
      assert.equal(status, 400);
      assert.deepEqual({ detail: body.detail, field: body.errors?.[0]?.field }, missing);
    }
  });

  it('has another entity tag when its content differs', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images').reply('image/images', { body: { images: [] } });
    const before = await api.get('/api/images', { as: caller });
    await api.context.cache.drop({ list: 'images', projectId: caller.projectId });

    const after = await api.get('/api/images', {
      as: caller,
      headers: { 'if-none-match': String(before.headers.etag) },
    });

    assert.equal(after.status, 200);
    assert.equal(after.text, '[]');
  });

  it('is loaded once for concurrent readers in two processes', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    await api.get('/api/auth/me', { as: caller });
    suite.cloud.reply('image/images', { delayMs: 50 });

    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? api : other).get('/api/images', { as: caller }),
      ),
    );

    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(suite.cloud.calls().filter((call) => call.includes('/images')).length, 1);
  });

  it('is never returned to a caller without access to its project', async () => {
    const api = await suite.start();
    const owner = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');
    await api.get('/api/images', { as: owner });
    const stranger = inOtherProject(newCaller());
    suite.cloud.acceptsToken(stranger).deniesProject(stranger.token, owner.projectId);

    const unknown = await api.get('/api/images', { projectId: owner.projectId });
    const foreign = await api.get('/api/images', { as: stranger, projectId: owner.projectId });

    assert.equal(unknown.status, 401);
    assert.equal(foreign.status, 403);
    assert.equal(foreign.headers.etag, undefined);
  });

  it('is separate for each project', async () => {
    const api = await suite.start();
    const first = newCaller();
    const second = inOtherProject(first);
    suite.cloud
      .acceptsToken(first)
      .acceptsToken(second)
      .reply('image/images')
      .reply('image/images', { body: { images: [] } });

    const ofFirst = await api.get<Row[]>('/api/images', { as: first });
    const ofSecond = await api.get<Row[]>('/api/images', { as: second });

    assert.ok(ofFirst.body.length > 0);
    assert.deepEqual(ofSecond.body, []);
  });

  it('is separate for administrators, who see more, whoever reads first', async () => {
    const images = fixtureBody<Row[]>('image/images', 'images');
    const shown = { member: images.slice(1), admin: images };
    for (const order of [['member', 'admin'] as const, ['admin', 'member'] as const]) {
      const api = await suite.start();
      const other = await suite.start({ keyPrefix: api.keyPrefix });
      const callers = {
        member: newCaller({ roles: ['member'] }),
        admin: newCaller({ roles: ['member', 'admin'] }),
      };
      for (const who of order) {
        suite.cloud.validCaller(callers[who]);
        suite.cloud.reply('image/images', { body: { images: shown[who] } });
      }

      for (const who of [...order, ...order, order[0]]) {
        for (const process of [api, other]) {
          const answer = await process.get<Row[]>('/api/images', { as: callers[who] });
          assert.deepEqual(
            answer.body.map(({ id }) => id),
            shown[who].map(({ id }) => id),
            `${who} of ${order}`,
          );
        }
      }
    }
  });

  it('is reloaded and stored on refresh', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images').reply('image/images', { body: { images: [] } });
    const first = await api.get<Row[]>('/api/images', { as: caller });
    const unchanged = await api.get<Row[]>('/api/images?refresh=false', { as: caller });

    const refreshed = await api.get<Row[]>('/api/images?refresh=true', { as: caller });

    const next = await api.get<Row[]>('/api/images', { as: caller });
    assert.equal(unchanged.text, first.text);
    assert.ok(first.body.length > 0);
    assert.deepEqual([refreshed.body, next.body], [[], []]);
    assert.equal(next.headers.etag, refreshed.headers.etag);
  });

  it('is loaded once for concurrent refreshes', async () => {
    const api = await suite.start();
    const other = await suite.start({ keyPrefix: api.keyPrefix });
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images').reply('image/images', { body: { images: [] }, delayMs: 1_500 });
    await api.get('/api/images', { as: caller });
    await other.get('/api/images', { as: caller });

    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? api : other).get('/api/images?refresh=true', { as: caller }),
      ),
    );

    assert.deepEqual([...new Set(answers.map(({ text }) => text))], ['[]']);
  });

  it('is 400 if refresh is neither true nor false, cached or not', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');
    const cold = await api.get<ErrorBody>('/api/images?refresh=perhaps', { as: caller });
    await api.get('/api/images', { as: caller });
    const warm = await api.get<ErrorBody>('/api/images?refresh=perhaps', { as: caller });

    for (const { status, body } of [cold, warm]) {
      assert.equal(status, 400);
      assert.deepEqual(
        body.errors?.map(({ field }) => field),
        ['query.refresh'],
      );
    }
  });

  it('is reloaded after its lifetime', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');
    await api.get('/api/images', { as: caller });

    assert.ok((await cacheTtl(api, imageLists.project, caller)) > 295);
  });

  it('answers HEAD without a body', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');

    const cold = await api.request('HEAD', '/api/images', { as: caller });
    const warm = await api.request('HEAD', '/api/images', { as: caller });

    for (const { status, headers, text } of [cold, warm]) {
      assert.equal(status, 200);
      assert.equal(text, '');
      assert.match(String(headers.etag), /^"/);
      assert.ok(Number(headers['content-length']) > 2);
    }
  });
});

describe('GET /api/images', () => {
  const suite = apiSuite();

  it('lists all pages of the image service', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const first = fixtureBody<{ images: Row[]; next: string }>('image/images-page-first');
    suite.cloud
      .reply('image/images-page-first', { path: '/v2/images?limit=1000' })
      .reply('image/images-page-next', { body: { images: fixtureBody('image/images-page-next', 'images') } });

    const answer = await api.get<Row[]>('/api/images', { as: caller });

    const rest = fixtureBody<Row[]>('image/images-page-next', 'images');
    assert.deepEqual(
      answer.body.map(({ id }) => id),
      [...first.images, ...rest].map(({ id }) => id),
    );
  });

  it('has "" and 0 for missing values, and timestamps in UTC', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const [image] = fixtureBody<(Row & { min_disk: number; min_ram: number })[]>('image/images', 'images');
    const { os_distro: _, ...queued } = { os_distro: '', ...image, name: null, status: 'queued', size: null };
    suite.cloud.reply('image/images', {
      body: {
        images: [
          { ...queued, owner: null, disk_format: null, created_at: '2026-03-01T10:20:30.000000+02:00' },
        ],
      },
    });

    const answer = await api.get('/api/images', { as: caller });

    assert.deepEqual(answer.body, [
      {
        id: image?.id,
        name: '',
        status: 'queued',
        visibility: 'public',
        owner: null,
        owner_name: null,
        size: 0,
        min_disk: image?.min_disk,
        min_ram: image?.min_ram,
        disk_format: '',
        os_distro: '',
        os_hidden: false,
        protected: false,
        created_at: '2026-03-01T08:20:30Z',
      },
    ]);
  });
});

describe('GET /api/flavors', () => {
  const suite = apiSuite();

  it('returns sizes and GPUs', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const [flavor] = fixtureBody<(Row & { extra_specs: object })[]>('compute/flavors', 'flavors');
    const gpu = { ...flavor, id: 'f-gpu', name: 'big', extra_specs: { 'pci_passthrough:alias': 'a100:2' } };
    suite.cloud.reply('compute/flavors', { body: { flavors: [flavor, gpu] } });

    const answer = await api.get<Record<string, unknown>[]>('/api/flavors', { as: caller });

    assert.deepEqual(
      answer.body.map(({ id, is_gpu, gpu_count }) => ({ id, is_gpu, gpu_count })),
      [
        { id: flavor?.id, is_gpu: false, gpu_count: 0 },
        { id: 'f-gpu', is_gpu: true, gpu_count: 2 },
      ],
    );
    assert.deepEqual(answer.body[1]?.extra_specs, { 'pci_passthrough:alias': 'a100:2' });
  });

  it('is cached for five minutes', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavors');

    await api.get('/api/flavors', { as: caller });

    assert.ok((await cacheTtl(api, flavorList, caller)) > 295);
  });
});
