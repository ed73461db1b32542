import type { Sealer } from '@gateway/core';
import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/redis';
import {
  fromFields,
  type LiteCluster,
  type LiteClusterChange,
  type LiteClusterSecrets,
  type LiteClusterStatus,
  type NewLiteCluster,
  newRecord,
  SECRET_PREFIX,
  toFields,
} from './cluster.ts';
import { liteClusterKeys } from './keys.ts';
import { nodeNameOf } from './names.ts';
import { createScript } from './scripts/create-script.ts';
import { discardScript } from './scripts/discard-script.ts';
import { updateScript } from './scripts/update-script.ts';

interface LiteClusterStoreParts {
  redis: Redis;
  replicatedWrite?: ReplicatedWrite;
  sealer: Sealer;
}

type ClusterKey = Pick<LiteCluster, 'id' | 'name' | 'projectId'>;
type SecretName = keyof LiteClusterSecrets;

const PURPOSE = 'lite-cluster';

/** The records of lite clusters in Redis. Records of deleted clusters stay, without their secrets. */
export class LiteClusterStore {
  readonly #redis: Redis;
  readonly #replicatedWrite: ReplicatedWrite;
  readonly #sealer: Sealer;

  constructor({ redis, replicatedWrite = unreplicatedWrite, sealer }: LiteClusterStoreParts) {
    this.#redis = redis;
    this.#replicatedWrite = replicatedWrite;
    this.#sealer = sealer;
  }

  /**
   * Writes a new record. Returns false if the node names would equal those of another cluster of the
   * project that is not DELETED.
   */
  async create(cluster: NewLiteCluster): Promise<boolean> {
    const { id, name, createdAt } = cluster;
    const fields = Object.entries(newRecord(cluster)).flat();
    const args = { id, name: nodeNameOf(name), createdAt, fields };
    const holder = await createScript.runReplicated(
      this.#redis,
      this.#replicatedWrite,
      keysOf(cluster),
      args,
    );
    return holder === id;
  }

  /** Removes the record of a cluster whose creation was not queued. */
  async discard(cluster: ClusterKey): Promise<void> {
    const args = { id: cluster.id, name: nodeNameOf(cluster.name) };
    await discardScript.runReplicated(this.#redis, this.#replicatedWrite, keysOf(cluster), args);
  }

  async read(id: string): Promise<LiteCluster | null> {
    return fromFields(await this.#redis.hgetall(liteClusterKeys.record(id)));
  }

  /** The clusters of a project, including DELETED ones, oldest first. */
  async readOfProject(projectId: string): Promise<LiteCluster[]> {
    const ids = await this.#redis.zrange(liteClusterKeys.ofProject(projectId), '0', '-1');
    const found = await Promise.all(ids.map((id) => this.read(id)));
    return found.filter((cluster) => cluster !== null);
  }

  /** The number of clusters that are not DELETED. */
  countOpen(): Promise<number> {
    return this.#redis.scard(liteClusterKeys.open);
  }

  /** The ids of all clusters that are not DELETED. */
  openIds(): Promise<string[]> {
    return this.#redis.smembers(liteClusterKeys.open);
  }

  /**
   * Changes a cluster that has one of the statuses. Returns false if it has another status: a job that lost a
   * race with a deletion must not revive the cluster.
   */
  async update(
    cluster: ClusterKey,
    change: LiteClusterChange,
    statuses: readonly Exclude<LiteClusterStatus, 'DELETED'>[],
  ): Promise<boolean> {
    return this.#update(cluster, toFields(change), statuses, change.status);
  }

  /** Changes the record of a DELETED cluster, to track its remaining resources. */
  async updateDeleted(cluster: ClusterKey, change: Omit<LiteClusterChange, 'status'>): Promise<void> {
    await this.#update(cluster, toFields(change), ['DELETED']);
  }

  /** The ids of the DELETED clusters whose resources may still exist. */
  removingIds(): Promise<string[]> {
    return this.#redis.smembers(liteClusterKeys.removing);
  }

  /** Records that a DELETED cluster has no resources any more. */
  async finishRemoval({ id }: ClusterKey): Promise<void> {
    await this.#redis.srem(liteClusterKeys.removing, id);
  }

  /**
   * Encrypts and stores secrets of a cluster that exists or is being created. Returns false for any
   * other cluster: a run that was frozen, or a key rotation, must not restore secrets that were
   * destroyed with the cluster.
   */
  async putSecrets(cluster: ClusterKey, secrets: Partial<LiteClusterSecrets>): Promise<boolean> {
    const sealed = Object.entries(secrets).map(([name, text]) => [
      SECRET_PREFIX + name,
      this.#sealer.seal(purposeOf(cluster, name), text),
    ]);
    return this.#update(cluster, Object.fromEntries(sealed), ['CREATING', 'ACTIVE']);
  }

  /** Null if the cluster does not have the secret, or has it no longer. */
  async readSecret(cluster: ClusterKey, name: SecretName): Promise<string | null> {
    const sealed = await this.#redis.hget(liteClusterKeys.record(cluster.id), SECRET_PREFIX + name);
    return sealed === null ? null : this.#sealer.open(purposeOf(cluster, name), sealed);
  }

  async hasSecret(cluster: ClusterKey, name: SecretName): Promise<boolean> {
    return (await this.#redis.hexists(liteClusterKeys.record(cluster.id), SECRET_PREFIX + name)) === 1;
  }

  async destroySecrets(cluster: ClusterKey): Promise<void> {
    const names: SecretName[] = ['kubeconfig', 'nodeToken', 'credentialSecret'];
    await this.#redis.hdel(liteClusterKeys.record(cluster.id), ...names.map((name) => SECRET_PREFIX + name));
  }

  /** Encrypts the secrets of a cluster with the current key, before their old key is removed. */
  async renewSeals(cluster: ClusterKey): Promise<void> {
    for (const name of ['kubeconfig', 'nodeToken', 'credentialSecret'] as const) {
      const sealed = await this.#redis.hget(liteClusterKeys.record(cluster.id), SECRET_PREFIX + name);
      if (sealed === null || this.#sealer.isCurrent(sealed)) continue;
      await this.putSecrets(cluster, { [name]: this.#sealer.open(purposeOf(cluster, name), sealed) });
    }
  }

  async #update(
    cluster: ClusterKey,
    fields: Record<string, string>,
    statuses: readonly LiteClusterStatus[],
    status?: LiteClusterStatus,
  ): Promise<boolean> {
    const args = {
      id: cluster.id,
      name: nodeNameOf(cluster.name),
      permitted: statuses.map((one) => JSON.stringify(one)).join(),
      newStatus: status === undefined ? '' : JSON.stringify(status),
      fields: Object.entries({ ...fields, ...toFields({ updatedAt: Date.now() }) }).flat(),
    };
    const keys = keysOf(cluster);
    return (await updateScript.runReplicated(this.#redis, this.#replicatedWrite, keys, args)) === 1;
  }
}

function keysOf({ id, projectId }: ClusterKey) {
  const { names, ofProject, open, record, removing } = liteClusterKeys;
  return { record: record(id), open, names: names(projectId), ofProject: ofProject(projectId), removing };
}

/** Binds a secret to its cluster: it cannot be decrypted as another cluster's. */
function purposeOf({ id }: ClusterKey, name: string): string {
  return `${PURPOSE}:${id}:${name}`;
}
