import { type AutoBackups, createAutoBackups, type NewAutoBackup } from '@gateway/auto-backup';
import { type Clock, Sealer } from '@gateway/core';
import { CredentialStore, type JobOwner, Producer, Queues } from '@gateway/jobs';
import type { Delegation, Identity } from '@gateway/openstack';
import type { RedisConnections } from '@gateway/store';
import { TestStore } from '../../support/redis/test-redis.ts';
import { recordedIdentity } from '../openstack/cloud.ts';

/** An identity service that keeps its trusts in memory. */
class FakeTrusts {
  readonly existing = new Map<string, Delegation>();
  readonly roles: (readonly string[])[] = [];
  /** Called when a trust is created; an error it throws is the answer, after the trust exists. */
  onCreate: () => void | Promise<void> = () => {};
  mayRevoke = true;
  #count = 0;

  async createUntil(
    identity: Identity,
    { roles, expiresAt }: { roles: readonly string[]; expiresAt: string },
  ): Promise<Delegation> {
    this.#count += 1;
    const trustId = `trust-${this.#count}`;
    const { userId: trustorId, projectId } = identity;
    const delegation = { trustId, trustorId, projectId, expiresAt };
    this.existing.set(trustId, delegation);
    this.roles.push(roles);
    await this.onCreate();
    return delegation;
  }

  async find({ expiresAt }: Omit<Delegation, 'trustId'>): Promise<Delegation[]> {
    return [...this.existing.values()].filter((trust) => trust.expiresAt === expiresAt);
  }

  async revoke({ trustId }: Delegation): Promise<boolean> {
    if (!this.mayRevoke) return false;
    this.existing.delete(trustId);
    return true;
  }

  get ids(): string[] {
    return [...this.existing.keys()];
  }
}

class TestTime implements Clock {
  ms = Date.parse('2026-11-22T10:30:00Z');

  now(): number {
    return this.ms;
  }
}

/** Auto backups in the Redis of the test run, as a process has them. */
export class BackupsInRedis {
  readonly trusts = new FakeTrusts();
  readonly clock = new TestTime();
  readonly store = new TestStore();
  readonly identity = recordedIdentity();
  /** Of processes that are opened from now on. */
  sealingKeys = [{ id: 'old', key: Buffer.alloc(32, 1) }];

  async open(): Promise<
    AutoBackups & { redis: RedisConnections; queues: Queues; producer: Producer<JobOwner> }
  > {
    const redis = await this.store.connect();
    const queues = new Queues(redis.queue, this.store.prefix);
    const sealer = new Sealer(this.sealingKeys);
    const producer = new Producer<JobOwner>(redis.store, queues, new CredentialStore(redis.store, sealer), {
      waitingLimit: 0,
    });
    const autoBackups = createAutoBackups({
      redis: redis.store,
      queues,
      sealer,
      delegations: this.trusts,
      adminRole: 'admin',
      clock: this.clock,
    });
    return { ...autoBackups, redis, queues, producer };
  }

  /** Sets up an auto backup as the api does, without its queue entry. */
  async setUp(
    { delegations, store }: Pick<AutoBackups, 'delegations' | 'store'>,
    changes: Partial<NewAutoBackup> = {},
  ): Promise<string | null> {
    const { intent, sealed } = await delegations.create(this.identity, { requestId: 'req-1' });
    return store.save({
      projectId: 'p1',
      volumeId: 'v1',
      userId: 'u1',
      schedule: '0 * * * *',
      retention: 5,
      prefix: 'auto',
      fullEvery: 1,
      sealedDelegation: sealed,
      intent,
      now: this.clock.now(),
      ...changes,
    });
  }
}
