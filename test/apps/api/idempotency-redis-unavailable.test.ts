import assert from 'node:assert/strict';
import type { ErrorBody } from '../../support/api/client.ts';
import { instanceRequest, newCaller } from '../../support/api/factories.ts';
import { killableRedis } from '../../support/api/killable-redis.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { eventually } from '../../support/eventually.ts';

const headers = { 'idempotency-key': 'key-1' };

describe('while Redis is unavailable, a POST', function () {
  this.timeout(120_000);
  const suite = apiSuite();
  const redis = killableRedis();

  it('with an Idempotency-Key is 503 and does nothing: it may be repeated', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    const caller = newCaller();
    await redis.killAndWait(api);
    suite.cloud.acceptsToken(caller);

    const answers = [
      await api.post<ErrorBody>('/api/keypairs', { as: caller, headers, body: { name: 'k' } }),
      await api.post<ErrorBody>('/api/instances', { as: caller, headers, body: instanceRequest() }),
    ];

    for (const { status, body } of answers) {
      assert.equal(status, 503);
      assert.equal(body.code, 'store_unavailable');
    }
  });

  it('without an Idempotency-Key succeeds', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    const caller = newCaller();
    await redis.killAndWait(api);
    suite.cloud.acceptsToken(caller).reply('compute/keypair-create');

    const answer = await api.post('/api/keypairs', { as: caller, body: { name: 'k' } });

    assert.equal(answer.status, 200);
  });

  it('with an Idempotency-Key is 503 while Redis hangs, and succeeds afterwards', async () => {
    const api = await suite.start({ redisUrl: redis.url });
    const caller = suite.cloud.validCaller(newCaller());
    await api.get('/api/auth/me', { as: caller });
    await redis.kill('SIGSTOP');
    const request = { as: caller, headers: { 'idempotency-key': 'key-2' }, body: { name: 'k' } };

    const refused = await api.post<ErrorBody>('/api/keypairs', request).finally(() => redis.kill('SIGCONT'));
    suite.cloud.reply('compute/keypair-create');
    const answer = await eventually(async () => {
      const again = await api.post('/api/keypairs', request);
      return again.status === 503 ? undefined : again;
    });

    assert.equal(refused.status, 503);
    assert.equal(answer.status, 200);
  });
});
