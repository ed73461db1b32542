import assert from 'node:assert/strict';
import { NearlyFullQuotas, webhookKeys } from '@gateway/webhooks';
import { WebhooksInRedis } from './webhooks-in-redis.ts';

describe('the store of quotas that are nearly full', () => {
  let world: WebhooksInRedis;
  let quotas: NearlyFullQuotas;

  beforeEach(async () => {
    world = new WebhooksInRedis();
    await world.open();
    quotas = new NearlyFullQuotas(world.redis);
  });
  afterEach(() => world.close());

  const names = async (projectId: string) => [...(await quotas.read(projectId)).keys()].sort();

  it('keeps what was begun first', async () => {
    const first = await quotas.begin('p1', 'compute:cores', { at: 1, inUse: 8, limit: 10 });
    const second = await quotas.begin('p1', 'compute:cores', { at: 2, inUse: 9, limit: 10 });

    assert.deepEqual([first, second], [first, first]);
    assert.deepEqual(await quotas.read('p1'), new Map([['compute:cores', first]]));
    assert.deepEqual(first, { at: 1, inUse: 8, limit: 10, isReported: false });
  });

  it('says what is reported, until its end', async () => {
    const begun = await quotas.begin('p1', 'compute:cores', { at: 1, inUse: 8, limit: 10 });
    await quotas.setReported('p1', 'compute:cores', begun);
    assert.deepEqual([...(await quotas.read('p1')).values()], [{ ...begun, isReported: true }]);

    await quotas.end('p1', 'compute:cores');

    assert.deepEqual(await names('p1'), []);
  });

  it('removes a project, and no other', async () => {
    for (const project of ['p1', 'p2'])
      for (const name of ['compute:cores', 'network:ports'])
        await quotas.begin(project, name, { at: 1, inUse: 8, limit: 10 });

    await quotas.removeOfProject('p1');

    assert.deepEqual([await names('p1'), await names('p2')], [[], ['compute:cores', 'network:ports']]);
  });

  it('removes projects of which nobody reads for a month', async () => {
    await quotas.begin('p1', 'compute:cores', { at: 1, inUse: 8, limit: 10 });
    const key = webhookKeys.nearlyFull('p1');
    await world.redis.expire(key, 60);

    await quotas.read('p1');

    const days = (await world.redis.ttl(key)) / 86_400;
    assert.ok(days > 29 && days <= 30, String(days));
  });

  it('expires what is written after the removal of the project', async () => {
    const begun = await quotas.begin('p1', 'compute:cores', { at: 1, inUse: 8, limit: 10 });
    await quotas.removeOfProject('p1');

    await quotas.setReported('p1', 'compute:cores', begun);

    assert.ok((await world.redis.ttl(webhookKeys.nearlyFull('p1'))) > 0);
  });
});
