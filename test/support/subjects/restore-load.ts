import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CloudClient } from '../clients/cloud-client.ts';
import { type GatewayClient, messagesOf } from '../clients/gateway-client.ts';
import { openStream } from '../clients/sse-client.ts';
import { eventually } from '../eventually.ts';
import { createCluster, deleteCluster, type LiteCluster, readCluster } from '../lite/clusters.ts';
import { setUpAutoBackup } from './auto-backups.ts';

interface Creation {
  key: string;
  jobId: string;
}

const CREATIONS = 3;
const END_MS = 180_000;

/** What users of a project do while a copy of the store is taken, and after it. */
export class RestoreLoad {
  readonly creations: Creation[] = [];
  /** The cluster that is ACTIVE before the load begins. */
  readonly cluster: LiteCluster;
  readonly volumeId: string;
  readonly #gateway: GatewayClient;
  readonly #cloud: CloudClient;
  readonly #deleted: { clusterId: string; instanceId: string };
  readonly #running: Promise<unknown>[] = [];
  #isEnded = false;

  private constructor(parts: {
    gateway: GatewayClient;
    cloud: CloudClient;
    cluster: LiteCluster;
    volumeId: string;
    deleted: { clusterId: string; instanceId: string };
  }) {
    this.#gateway = parts.gateway;
    this.#cloud = parts.cloud;
    this.cluster = parts.cluster;
    this.volumeId = parts.volumeId;
    this.#deleted = parts.deleted;
  }

  /** Creates what the load uses and deletes, and an auto backup that is due each minute. */
  static async prepare(gateway: GatewayClient, cloud: CloudClient): Promise<RestoreLoad> {
    const { volume } = await cloud.call<{ volume: { id: string } }>('volumev3', 'POST', '/volumes', {
      volume: { name: `restored-${randomUUID()}`, size: 1 },
    });
    await setUpAutoBackup(gateway, volume.id, { schedule: '* * * * *', retention: 20 });
    const [kept, deleted, instance] = await Promise.all([
      createCluster(gateway, newCluster()),
      createCluster(gateway, newCluster()),
      gateway.messagesOfCreation(await gateway.smallInstanceRequest('e2e-deleted')),
    ]);
    const [keptId, clusterId] = [kept, deleted].map((messages) => messages.at(-1)?.cluster_id ?? '');
    return new RestoreLoad({
      gateway,
      cloud,
      cluster: await readCluster(gateway, keptId ?? ''),
      volumeId: volume.id,
      deleted: { clusterId: clusterId ?? '', instanceId: instance.at(-1)?.instance_id ?? '' },
    });
  }

  /** Whether all that the load does has completed. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  async begin(): Promise<void> {
    const { clusterId, instanceId } = this.#deleted;
    this.#running.push(
      createCluster(this.#gateway, newCluster()).then((messages) =>
        assert.equal(messages.at(-1)?.step, 'completed', messages.at(-1)?.error ?? ''),
      ),
      this.#gateway.request('DELETE', `/api/instances/${instanceId}`),
      deleteCluster(this.#gateway, clusterId),
    );
    for (let started = 0; started < CREATIONS; started += 1) {
      const key = randomUUID();
      const { jobId, messages } = await this.create(key);
      this.creations.push({ key, jobId });
      this.#running.push(messages.then((all) => assert.equal(all.at(-1)?.step, 'COMPLETED')));
    }
    // `end` reports what has failed.
    void Promise.allSettled(this.#running).then(() => {
      this.#isEnded = true;
    });
  }

  /** Requests an instance with an `Idempotency-Key`. */
  async create(key: string, gateway = this.#gateway) {
    const request = await gateway.smallInstanceRequest(`e2e-${key.slice(0, 8)}`);
    const stream = await openStream(`${gateway.url}/api/instances/async`, {
      method: 'POST',
      headers: { ...gateway.headers(), 'Idempotency-Key': key },
      body: request,
    });
    return { jobId: stream.headers.get('x-job-id') ?? '', messages: messagesOf(stream) };
  }

  /** Waits until all has completed, and the auto backup has run at a due time after `since`. */
  async end(since: number): Promise<void> {
    await Promise.all(this.#running);
    await eventually(async () => {
      const names = await this.backups();
      return names.some((name) => name > nameSuffix(since));
    }, END_MS);
    await eventually(async () => {
      const { items } = await this.#gateway.read<{ items: { status: string }[] }>('/api/jobs?limit=100');
      return items.every(({ status }) => status !== 'queued' && status !== 'running');
    }, END_MS);
  }

  /** The due times of the backups of the volume, in the form of `nameSuffix`. */
  async backups(): Promise<string[]> {
    const { backups } = await this.#cloud.call<{ backups: { name: string; volume_id: string }[] }>(
      'volumev3',
      'GET',
      '/backups/detail',
    );
    const own = backups.filter(({ volume_id }) => volume_id === this.volumeId);
    return own.map(({ name }) => name.slice(name.lastIndexOf('-') + 1)).sort();
  }
}

/** A time as in the names of backups, to the minute. */
export function nameSuffix(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace(/\D/g, '');
}

function newCluster() {
  return { name: `E2E_${randomUUID().slice(0, 8)}`, agent_count: 1 };
}
