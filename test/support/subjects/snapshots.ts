import { newId } from '@gateway/core';
import { type CredentialStore, type JobOwner, Producer, Queues } from '@gateway/jobs';
import { Redis } from 'ioredis';
import type { GatewayClient } from '../clients/gateway-client.ts';

/** Starts snapshots of any hour, as the scheduled task does for the current one. */
export class Snapshots {
  readonly #redis: Redis;
  readonly #store: Redis;
  readonly #queues: Queues;
  readonly #admin: () => GatewayClient;

  constructor(redisUrl: string, keyPrefix: string, admin: () => GatewayClient) {
    this.#redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
    this.#store = new Redis(redisUrl, { keyPrefix, maxRetriesPerRequest: null });
    for (const redis of [this.#redis, this.#store]) redis.on('error', () => {});
    this.#queues = new Queues(this.#redis, keyPrefix);
    this.#admin = admin;
  }

  /** Returns the job's id. The job belongs to the project, so that its members may read it. */
  start(hour: number, requestId: string, projectId: string): Promise<string> {
    // Jobs without a credential do not use the store of credentials.
    const credentials = {} as CredentialStore<JobOwner>;
    const producer = new Producer(this.#store, this.#queues, credentials, { waitingLimit: 0 });
    return producer.enqueueWithoutCredential(
      { type: 'timeseries.snapshot', payload: { hour }, requestId, jobId: newId() },
      { projectId, userId: 'test' },
    );
  }

  read(type: string): Promise<{ timestamp: string }[]> {
    return this.#admin().read(`/api/admin/timeseries/${type}?range=30d`);
  }

  async close(): Promise<void> {
    await this.#queues.close();
    this.#redis.disconnect();
    this.#store.disconnect();
  }
}
