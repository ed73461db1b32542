import assert from 'node:assert/strict';
import { jobKeys, recordTaskSuccess, scheduledTaskNames } from '@gateway/jobs';
import { Redis } from 'ioredis';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, tokenBody } from '../../support/api/factories.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { type Settings, withServiceUser } from '../../support/api/settings.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

interface Health {
  status: string;
  redis: string;
  jobs: string;
  identity?: string;
  maintenance?: string;
  cache?: string;
  service_user?: string;
  region?: string;
  unsupported_versions?: object[];
  version: string;
}

describe('GET /api/health', () => {
  const suite = apiSuite();
  const identity = { path: '/v3', body: { version: { id: 'v3.14' } } };

  it('is ok without a call to the cloud', async () => {
    const api = await suite.start();

    const answer = await api.get<Health>('/api/health');

    assert.equal(answer.status, 200);
    assert.deepEqual([answer.body.status, answer.body.redis, answer.body.identity], ['ok', 'ok', undefined]);
    assert.match(answer.body.version, /^\d+\.\d+\.\d+/);
  });

  it('says that jobs are held, as an earlier process has decided', async () => {
    const { context, keyPrefix } = await suite.start();
    await context.redis.store.hset(jobKeys.storeHold, { cause: 'unused', usedAt: 1, heldAt: 2 });

    const api = await suite.start({ keyPrefix });

    const { body, status } = await api.get<Health>('/api/health?ready=true');
    assert.deepEqual([status, body.status, body.jobs], [200, 'degraded', 'held']);
    assert.equal(api.log.text().split('The store may be an older copy').length, 2);
    assert.match(
      await api.context.metrics.metricsText().then((metrics) => metrics.body),
      /^gateway_store_held 1$/m,
    );
  });

  it('includes the identity service if it is to be deep', async () => {
    const api = await suite.start();
    suite.cloud.reply('identity/token-validate', identity);

    const answer = await api.get<Health>('/api/health?deep=true');

    assert.equal(answer.status, 200);
    assert.deepEqual([answer.body.status, answer.body.identity, answer.body.cache], ['ok', 'ok', undefined]);
  });

  it('says in a deep check that a scheduled task is overdue', async () => {
    const api = await suite.start();
    suite.cloud.reply('identity/token-validate', { ...identity, times: 3 });
    const { store } = api.context.redis;
    const states = async () => {
      const { body } = await api.get<Health>('/api/health?deep=true');
      return [body.status, body.maintenance];
    };
    const succeed = () =>
      Promise.all(scheduledTaskNames.map((name) => recordTaskSuccess(store, name, api.clock.now())));

    assert.deepEqual(await states(), ['ok', 'ok']);
    api.clock.advance(3 * 3600);
    assert.deepEqual(await states(), ['degraded', 'unavailable']);
    await succeed();
    api.clock.advance(11);
    assert.deepEqual(await states(), ['ok', 'ok']);
  });

  it('includes the Redis of cached lists in a deep check', async () => {
    const api = await suite.start({ settings: { redis: { cache_url: 'redis://127.0.0.1:1' } } });
    suite.cloud.reply('identity/token-validate', identity);

    const { body } = await api.get<Health>('/api/health?deep=true');

    assert.deepEqual([body.status, body.redis, body.cache], ['degraded', 'ok', 'unavailable']);
  });

  for (const [what, options] of [
    ['cannot be reached', { ...identity, fault: 'ECONNREFUSED' }],
    ['answers 500', { ...identity, status: 500 }],
  ] as const) {
    it(`is degraded, but ready, if the identity service ${what}, with one attempt`, async () => {
      const api = await suite.start();
      suite.cloud.reply('identity/token-validate', options);

      const deep = await api.get<Health>('/api/health?deep=true');
      const ready = await api.get<Health>('/api/health?ready=true&deep=true');

      assert.deepEqual([deep.status, deep.body.status, deep.body.identity], [200, 'degraded', 'unavailable']);
      assert.equal(ready.status, 200);
    });
  }

  it('is not ready while the process stops, but still answers', async () => {
    const api = await suite.start();
    api.context.draining = true;

    const health = await api.get<Health>('/api/health');
    const ready = await api.get<Health>('/api/health?ready=true');

    assert.deepEqual([health.status, ready.status], [200, 503]);
  });

  it('checks the dependencies once in ten seconds for any number of requests', async () => {
    const api = await suite.start();
    suite.cloud.reply('identity/token-validate', { ...identity, times: 2 });

    const askTenTimes = () =>
      Promise.all(Array.from({ length: 10 }, () => api.get<Health>('/api/health?deep=true')));
    const first = await askTenTimes();
    api.clock.advance(5);
    const second = await askTenTimes();
    assert.equal(suite.cloud.calls().length, 1);
    api.clock.advance(5);
    const third = await askTenTimes();

    for (const { body } of [...first, ...second, ...third]) assert.equal(body.identity, 'ok');
    assert.equal(suite.cloud.calls().length, 2);
  });

  it('checks them again after a clock was set back', async () => {
    const api = await suite.start();
    suite.cloud.reply('identity/token-validate', { ...identity, times: 2 });
    await api.get<Health>('/api/health?deep=true');

    api.clock.advance(-3600);
    await api.get<Health>('/api/health?deep=true');

    assert.equal(suite.cloud.calls().length, 2);
  });

  it('names services without the microversion that is needed, and logs them once', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const user = newCaller();
    const { token } = tokenBody(user) as { token: { catalog: { type: string }[] } };
    const catalog = token.catalog.filter(({ type }) => type === 'compute');
    const version = { id: 'v2.1', status: 'CURRENT', version: '2.65', min_version: '2.1' };
    suite.cloud
      .acceptsLogIn(user, { body: { token: { ...token, catalog } } })
      .reply('identity/token-validate', { ...identity, times: 2 })
      .reply('compute/servers', { path: '/v2.1/', body: { version } });

    const first = await api.get<Health>('/api/health?deep=true');
    api.clock.advance(11);
    const second = await api.get<Health>('/api/health?deep=true');

    for (const { body } of [first, second]) {
      const found = [{ service: 'compute', needed: '2.79', offered: '2.1 to 2.65' }];
      assert.deepEqual([body.status, body.unsupported_versions], ['degraded', found]);
    }
    assert.equal(api.log.text().split('does not support the microversion').length, 2);
  });

  for (const [what, state, options] of [
    ['works', ['ok', 'ok', 'ok'], {}],
    ['is refused', ['degraded', 'refused', 'unknown'], { status: 401, body: {} }],
  ] as const) {
    it(`says in a deep check that the service user ${what}`, async () => {
      const api = await suite.start({ settings: withServiceUser });
      const user = newCaller({ roles: ['admin'] });
      const { token } = tokenBody(user) as { token: { catalog: { type: string }[] } };
      const catalog = token.catalog.filter(({ type }) => type === 'image');
      suite.cloud
        .acceptsLogIn(user, { body: { token: { ...token, catalog } }, ...options })
        .reply('identity/token-validate', identity);

      const { body } = await api.get<Health>('/api/health?deep=true');

      assert.deepEqual([body.status, body.service_user, body.region], state);
    });
  }

  it('is 400 if ready is not a boolean', async () => {
    const api = await suite.start();

    for (const query of ['ready=perhaps', 'ready=', 'ready=true&ready=false']) {
      const answer = await api.get<ErrorBody>(`/api/health?${query}`);
      assert.equal(answer.status, 400, query);
      assert.deepEqual(
        answer.body.errors?.map(({ field }) => field),
        ['query.ready'],
      );
    }
  });
});

describe('GET /api/health?deep=true on a read-only store', () => {
  const suite = apiSuite();
  const redis = killableRedis();
  const identity = { path: '/v3', body: { version: { id: 'v3.14' } } };

  for (const [reason, command, refuse, accept] of [
    ['is a replica', 'REPLICAOF', ['127.0.0.1', '1'], ['NO', 'ONE']],
    ['has no memory left', 'CONFIG', ['SET', 'maxmemory', '1'], ['SET', 'maxmemory', '0']],
    [
      'has lost its replicas',
      'CONFIG',
      ['SET', 'min-replicas-to-write', '1'],
      ['SET', 'min-replicas-to-write', '0'],
    ],
  ] as const) {
    it(`says that the store is unavailable while it ${reason}`, async () => {
      const api = await suite.start({ redisUrl: redis.url });
      suite.cloud.reply('identity/token-validate', { ...identity, times: 2 });
      const before = await api.get<Health>('/api/health?deep=true');
      const admin = new Redis(redis.url);
      try {
        await admin.call(command, ...refuse);
        api.clock.advance(10);
        const meanwhile = await api.get<Health>('/api/health?deep=true&ready=true');

        assert.equal(before.body.redis, 'ok');
        assert.deepEqual([meanwhile.status, meanwhile.body.redis], [200, 'unavailable']);
      } finally {
        await admin.call(command, ...accept);
        admin.disconnect();
      }
    });
  }

  it('leaves behind only a probe key that expires', async () => {
    const api = await suite.start();
    suite.cloud.reply('identity/token-validate', identity);

    await api.get<Health>('/api/health?deep=true');

    assert.ok((await api.context.redis.store.pttl('{jobs}:probe')) > 0);
  });
});

describe('GET /api/metrics', () => {
  const suite = apiSuite();

  it('counts requests by method, pattern of the route and status', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    await api.get('/api/instances/%20', { as: caller });
    await api.get('/api/instances/%21', { as: caller });
    await api.get('/api/nothing');
    await api.get('/secret/path/here');
    await api.request('PATCH', '/api/keypairs/my-own-key', { as: caller });

    await firstScrape(api);
    const { headers, text } = await api.get('/api/metrics');

    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assertSample(
      text,
      'gateway_http_requests_total{method="GET",route="/api/instances/:instance_id",status="400"} 2',
    );
    assertSample(text, 'gateway_http_requests_total{method="GET",route="unknown",status="404"} 2');
    assertSample(
      text,
      'gateway_http_requests_total{method="PATCH",route="/api/keypairs/:keypair_name",status="405"} 1',
    );
    assert.match(text, /^gateway_http_request_duration_seconds_bucket\{/m);
  });

  it('counts calls to the cloud and reads of the cache', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('image/images');
    for (let read = 0; read < 3; read += 1) await api.get('/api/images', { as: caller });

    await firstScrape(api);
    const { text } = await api.get('/api/metrics');

    assertSample(
      text,
      'gateway_upstream_calls_total{service="image",operation="images.list",status="200"} 1',
    );
    assertSample(
      text,
      'gateway_upstream_calls_total{service="identity",operation="tokens.validate",status="200"} 1',
    );
    assertSample(text, 'gateway_cache_reads_total{list="images",outcome="process_hit"} 2');
    assertSample(text, 'gateway_cache_reads_total{list="images",outcome="miss"} 1');
  });

  it('contains no ids, names, addresses or tokens', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/keypairs', { status: 500, body: {} });
    await api.get('/api/keypairs', { as: caller });
    await api.request('TRACE', '/api/keypairs');

    const { text } = await api.get('/api/metrics');

    for (const secret of [caller.token, caller.projectId, caller.userId, caller.userName, '127.0.0.1']) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  it('is served only to configured addresses', async () => {
    for (const [from, status] of [
      [['127.0.0.1'], 200],
      [['127.0.0.0/8'], 200],
      [['loopback'], 200],
      [['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'], 403],
    ] as const) {
      const api = await suite.start({ settings: { metrics: { allowed_from: from } } });
      assert.equal((await api.get('/api/metrics')).status, status, String(from));
    }
  });
});

const SISTER = { name: 'North', region: 'RegionTwo', url: 'https://north.example.org' };

describe('GET /api/site-config', () => {
  const suite = apiSuite();

  it('returns the configuration to everyone', async () => {
    const api = await suite.start({
      settings: {
        site: { name: 'My Cloud', refresh_interval_ms: 5000, sisters: [SISTER] },
        services: { shared_fs: false, container_infra: false, container: true, lite: false },
      },
    });

    const answer = await api.get('/api/site-config');

    assert.deepEqual(answer.body, {
      site_name: 'My Cloud',
      region: 'RegionOne',
      sisters: [SISTER],
      refresh_interval_ms: 5000,
      shared_fs_enabled: false,
      container_infra_enabled: false,
      container_enabled: true,
      lite_enabled: false,
      auto_backup_enabled: false,
      prebuilt_enabled: false,
      builds_enabled: false,
      cookies_enabled: false,
    });
  });

  it('has features only with the settings that they need', async () => {
    const flagsWith = async (settings: Settings) => {
      const api = await suite.start({ settings: { services: { lite: true }, ...settings } });
      const { body } = await api.get<Record<string, unknown>>('/api/site-config');
      return ['auto_backup', 'prebuilt', 'builds', 'lite', 'cookies'].filter(
        (name) => body[`${name}_enabled`],
      );
    };
    const public_endpoint = { url: 'https://gateway.example.org' };
    const resources = { builds: { image: 'i', flavor: 'f' }, lite: { image: 'i', server_flavor: 'f' } };

    // The service user cannot log in, which says nothing about the configuration.
    suite.cloud.rejectsLogIn({ times: 2, optional: true });

    assert.deepEqual(await flagsWith({ session: { cookies: true } }), ['cookies']);
    // The operators' page has cookies of its own accord.
    assert.deepEqual(await flagsWith({ ops: { enabled: true } }), []);
    assert.deepEqual(await flagsWith(withServiceUser), ['auto_backup', 'prebuilt']);
    assert.deepEqual(await flagsWith({ public_endpoint, lite: { server_flavor: 'f' } }), []);
    assert.deepEqual(await flagsWith({ public_endpoint, ...resources }), ['lite']);
    assert.deepEqual(await flagsWith({ ...withServiceUser, public_endpoint, ...resources }), [
      'auto_backup',
      'prebuilt',
      'builds',
      'lite',
    ]);
  });
});

/** In which counters are 0. */
async function firstScrape(api: TestApi): Promise<void> {
  await api.get('/api/metrics');
}

function assertSample(text: string, sample: string): void {
  assert.ok(
    text.split('\n').includes(sample),
    `${sample} is not among\n${text.match(/^gateway_.*_total.*$/gm)?.join('\n')}`,
  );
}
