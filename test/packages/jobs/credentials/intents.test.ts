import assert from 'node:assert/strict';
import { type DelegationIntent, Intents, jobKeys } from '@gateway/jobs';
import { keysOfReplicatedWrites } from '../../../support/redis/replicated-writes.ts';
import { TestStore } from '../../../support/redis/test-redis.ts';

describe('Intents', () => {
  const store = new TestStore();

  after(() => store.close());

  it('are stored once replicas have acknowledged them', async () => {
    const { store: redis } = await store.connect();
    const keys = keysOfReplicatedWrites(redis);
    const intents = new Intents<DelegationIntent>(redis, jobKeys.delegationIntents);

    await intents.put({ trustorId: 'u1', projectId: 'p1', expiresAt: '2030-01-01T00:00:00Z', since: 1 });

    assert.deepEqual(keys, [jobKeys.delegationIntents]);
    assert.equal(await intents.size(), 1);
  });
});
