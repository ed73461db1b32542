import assert from 'node:assert/strict';
import { type DelegationIntent, Intents, jobKeys } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { revokeOrphanedDelegations } from '../../../apps/worker/src/maintenance/revoke-orphaned-delegations.ts';
import { connectRedis } from '../../support/redis/test-redis.ts';

const HOUR_MS = 3_600_000;

describe('a delegation that no job uses', () => {
  let redis: RedisConnections;
  let delegationIntents: Intents<DelegationIntent>;
  let worker: WorkerContext;
  let revoked: string[];
  let warnings: string[];

  beforeEach(async () => {
    redis = await connectRedis();
    delegationIntents = new Intents(redis.store, jobKeys.delegationIntents);
    revoked = [];
    warnings = [];
    worker = {
      config: { jobs: { lateCallSeconds: 60, recheckSeconds: 900 } },
      delegationIntents,
      delegations: {
        find: async () => [{ trustId: 'trust-1' }],
        revoke: async ({ trustId }: { trustId: string }) => revoked.push(trustId),
      },
      logger: { warn: (message: string) => warnings.push(message) },
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

  it('is revoked once late calls have ended, and searched for again', async () => {
    await begin(61_000);

    await revokeOrphanedDelegations(worker);

    assert.deepEqual([revoked, (await delegationIntents.readAll()).size], [['trust-1'], 1]);
  });

  it('has an intent that ends although others cannot be read', async () => {
    worker.delegations.find = async () => [];
    await redis.store.hset(jobKeys.delegationIntents, { newer: '{"form":9}', odd: 'no JSON' });
    await begin(HOUR_MS);

    await revokeOrphanedDelegations(worker);

    const left = await redis.store.hkeys(jobKeys.delegationIntents);
    assert.deepEqual([left.sort(), warnings.length], [['newer', 'odd'], 2]);
  });

  it('stays while an intent that cannot be read may be its own', async () => {
    await redis.store.hset(jobKeys.delegationIntents, { newer: '{"form":9}' });
    await begin(HOUR_MS);

    await revokeOrphanedDelegations(worker);

    assert.deepEqual([revoked, await delegationIntents.size(), warnings.length], [[], 2, 2]);
  });

  it('stays while another request creates one of the same second', async () => {
    await begin(HOUR_MS);
    await begin(1_000, '2026-12-01T10:00:00.750000Z');

    await revokeOrphanedDelegations(worker);

    assert.deepEqual([revoked, (await delegationIntents.readAll()).size], [[], 2]);
  });
});
