import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openRedis, type RedisConnections, type RedisSettings, waitUntilReady } from '@gateway/store';
import { type Certificates, makeCertificates } from '../../support/doubles/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { type RedisPair, sentinelUser, startRedisPair } from '../../support/redis/redis-pair.ts';

describe('a pair of Redis servers with TLS and Sentinels', function () {
  this.timeout(120_000);
  let certificates: Certificates;
  let pair: RedisPair;
  const opened: RedisConnections[] = [];
  let reasons: string[];

  before(async () => {
    certificates = await makeCertificates(['redis.test', 'localhost']);
    pair = await startRedisPair(certificates);
  });

  after(async () => {
    await pair?.stop();
    certificates?.remove();
  });

  beforeEach(() => {
    reasons = [];
  });

  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
  });

  function tls() {
    const { caFile, client } = certificates;
    const [ca, cert, key] = [caFile, client.certFile, client.keyFile].map((path) =>
      readFileSync(path, 'utf8'),
    );
    return { ca, cert, key, servername: 'redis.test' };
  }

  function open(further: Partial<RedisSettings> = {}): RedisConnections {
    const url = 'rediss://by.sentinels/0';
    const redis = openRedis(
      {
        url,
        cacheUrl: url,
        keyPrefix: 'p:',
        sentinels: pair.sentinels,
        sentinelName: pair.name,
        sentinelUsername: sentinelUser.name,
        sentinelPassword: sentinelUser.password,
        tls: tls(),
        ...further,
      },
      'wait',
      { onUnavailable: (connection, reason) => reasons.push(`${connection}: ${reason}`) },
    );
    opened.push(redis);
    return redis;
  }

  it('serves all connections, and a cache by its own name', async () => {
    const redis = open({ cacheUrl: `rediss://localhost:${pair.clientPort}/1` });

    const { store, cache, queue } = redis;
    assert.equal(await waitUntilReady(cache, 5_000), true);
    const all = [store, cache, queue, redis.blocking('reader'), redis.subscriber('listener')];

    assert.deepEqual(
      await Promise.all(all.map((connection) => connection.ping())),
      all.map(() => 'PONG'),
    );
    assert.notEqual(cache, store);
  });

  for (const [what, change, reason] of [
    ['without the authority', { ca: undefined }, /certificate/],
    ['under another name', { servername: 'other.test' }, /altnames/],
    // The server checks a client's certificate when the client already writes. A write to the closed
    // connection can fail before the client reads why it was closed.
    ['without a certificate of its own', { cert: undefined, key: undefined }, /required|ECONNRESET|EPIPE/],
  ] as const) {
    it(`is unavailable to a gateway ${what}`, async () => {
      // ioredis does not say why a Sentinel cannot be reached.
      const url = `rediss://localhost:${pair.clientPort}`;
      const redis = open({ url, cacheUrl: url, sentinels: [], tls: { ...tls(), ...change } });

      await eventually(async () => reasons.some((text) => text.startsWith('store: ')));

      assert.match(reasons.find((text) => text.startsWith('store: ')) ?? '', reason);
      assert.equal(redis.isReady(), false);
    });
  }

  it('is unavailable with a wrong user of the Sentinels', async () => {
    const redis = open({ sentinelUsername: 'somebody' });

    await eventually(async () => reasons.length > 0);

    assert.match(reasons[0] ?? '', /WRONGPASS/);
    assert.equal(redis.isReady(), false);
  });

  // Runs last, because it stops a server.
  it('continues with the promoted replica', async () => {
    const redis = open();
    assert.equal(await waitUntilReady(redis.store, 5_000), true);
    await pair.primary.kill('SIGKILL');

    assert.equal(await redis.store.set('a', '1'), 'OK');
  });
});
