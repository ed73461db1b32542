import assert from 'node:assert/strict';
import { formatStored, storedForms } from '@gateway/core';
import { type CredentialMakerIntent, Intents, jobKeys } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { removeOrphanedCredentialMakers } from '../../../apps/worker/src/maintenance/remove-orphaned-credential-makers.ts';
import { connectRedis } from '../../support/redis/test-redis.ts';

const HOUR_MS = 3_600_000;

describe('an application credential that was created for a job', () => {
  let redis: RedisConnections;
  let credentialMakerIntents: Intents<CredentialMakerIntent>;
  let worker: WorkerContext;
  let removed: string[];
  let roles: string[];
  let list: () => Promise<{ id: string }[]>;

  beforeEach(async () => {
    redis = await connectRedis();
    credentialMakerIntents = new Intents(redis.store, jobKeys.credentialMakerIntents);
    removed = [];
    roles = ['admin'];
    list = async () => [{ id: 'maker-1' }];
    const applicationCredentials = {
      listByName: () => list(),
      remove: async (_userId: string, id: string) => removed.push(id),
    };
    worker = {
      config: { identity: { adminRole: 'admin' }, jobs: { lateCallSeconds: 60, recheckSeconds: 900 } },
      credentialMakerIntents,
      credentials: { get: async () => ({ credentialMaker: { id: 'maker-1' } }) },
      logger: { warn: () => {} },
      redis,
      serviceAccount: {
        identity: async () => ({ roles }),
        bind: async () => ({ identity: { applicationCredentials } }),
      },
      stopping: new AbortController(),
    } as unknown as WorkerContext;
  });

  afterEach(() => redis.close());

  const begin = (ageMs: number, expiresInMs = HOUR_MS) =>
    credentialMakerIntents.put({
      userId: 'user-1',
      name: 'lite-c1-creation',
      jobId: 'job-1',
      expiresAt: Date.now() + expiresInMs,
      since: Date.now() - ageMs,
    });

  async function run(): Promise<[removed: string[], intents: number]> {
    await removeOrphanedCredentialMakers(worker);
    return [removed, (await credentialMakerIntents.readAll()).size];
  }

  it('is removed with its intent if no job uses it', async () => {
    await begin(HOUR_MS);

    assert.deepEqual(await run(), [['maker-1'], 0]);
  });

  it('is searched again until late calls have ended', async () => {
    await begin(61_000);

    assert.deepEqual(await run(), [['maker-1'], 1]);
  });

  it('stays while its job uses it', async () => {
    await begin(HOUR_MS);
    await redis.store.hset(jobKeys.record('job-1'), {
      queued: formatStored(storedForms.job, { credentialHandle: 'handle-1' }),
    });

    assert.deepEqual(await run(), [[], 0]);
  });

  it('stays while its request may still run', async () => {
    await begin(1_000);

    assert.deepEqual(await run(), [[], 1]);
  });

  it('stays while a repetition of its request may still run', async () => {
    await begin(HOUR_MS);
    await begin(1_000);

    assert.deepEqual(await run(), [[], 2]);
  });

  it('expires without rights to remove it, and so does its intent', async () => {
    roles = ['member'];
    await begin(HOUR_MS);
    await begin(HOUR_MS, -1);

    assert.deepEqual(await run(), [[], 1]);
  });

  it('has an intent that ends with it, although no search succeeds', async () => {
    list = () => Promise.reject(new Error('There is no such user.'));
    await begin(HOUR_MS);
    await begin(HOUR_MS, -1);

    assert.deepEqual(await run(), [[], 1]);
  });
});
