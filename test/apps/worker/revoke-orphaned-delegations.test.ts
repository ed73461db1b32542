import assert from 'node:assert/strict';
import { type DelegationIntent, Intents, jobKeys } from '@gateway/jobs';
import { openRedis, type RedisConnections, waitUntilReady } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { revokeOrphanedDelegations } from '../../../apps/worker/src/maintenance/revoke-orphaned-delegations.ts';
import { freshKeyPrefix, testRedisUrl } from '../../support/redis/test-redis.ts';

const HOUR_MS = 3_600_000;

describe('a delegation that no job uses', () => {
  let redis: RedisConnections;
  let delegationIntents: Intents<DelegationIntent>;
  let worker: WorkerContext;
  let revoked: string[];

  beforeEach(async () => {
    const url = testRedisUrl();
    redis = openRedis({ url, cacheUrl: url, keyPrefix: freshKeyPrefix('intents') }, 'fail-fast');
    await waitUntilReady(redis.store, 5_000);
    delegationIntents = new Intents(redis.store, jobKeys.delegationIntents);
    revoked = [];
    worker = {
      config: { jobs: { lateCallSeconds: 60, recheckSeconds: 900 } },
      delegationIntents,
      delegations: {
        find: async () => [{ trustId: 'trust-1' }],
        revoke: async ({ trustId }: { trustId: string }) => revoked.push(trustId),
      },
      redis,
      serviceAccount: { isConfigured: true },
      stopping: new AbortController(),
    } as unknown as WorkerContext;
  });

  afterEach(() => redis.close());

  const begin = (ageMs: number, expiresAt = '2026-12-01T10:00:00.250000Z') =>
    delegationIntents.put({
      trustorId: 'user-1',
      projectId: 'project-1',
      expiresAt,
      since: Date.now() - ageMs,
    });

  it('is revoked, and its intent removed', async () => {
    await begin(HOUR_MS);

    await revokeOrphanedDelegations(worker);

    assert.deepEqual([revoked, (await delegationIntents.readAll()).size], [['trust-1'], 0]);
  });

  it('is not revoked while its request may still run', async () => {
    await begin(1_000);

    await revokeOrphanedDelegations(worker);

    assert.deepEqual([revoked, (await delegationIntents.readAll()).size], [[], 1]);
  });

  it('stays while another request creates one of the same second', async () => {
    await begin(HOUR_MS);
    await begin(1_000, '2026-12-01T10:00:00.750000Z');

    await revokeOrphanedDelegations(worker);

    assert.deepEqual([revoked, (await delegationIntents.readAll()).size], [[], 2]);
  });
});
