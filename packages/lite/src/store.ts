import type { Sealer } from '@gateway/core';
import { type Redis, replaceFieldScript } from '@gateway/store';
import {
  fromFields,
  type LiteCluster,
  type LiteClusterChange,
  type LiteClusterSecrets,
  type LiteClusterStatus,
  type NewLiteCluster,
  newRecord,
  SECRET_PREFIX,
  secretPurpose,
  toFields,
} from './cluster.ts';
import { liteClusterKeys } from './keys.ts';
import { nodeNameOf } from './names.ts';
import {
  createScript,
  destroySecretsScript,
  discardScript,
  finishRemovalScript,
  importScript,
  removeRecordScript,
  updateScript,
} from './scripts.ts';

interface LiteClusterStoreParts {
  redis: Redis;
  sealer: Sealer;
  run?: JobRun;
}

/** One run of a job, which throws before a write if another one has taken the job over. */
interface JobRun {
  beforeWrite?(): Promise<void>;
}

type ClusterKey = Pick<LiteCluster, 'id' | 'name' | 'projectId'>;
type ImportOutcome = 'created' | 'replaced' | 'kept' | 'taken';
type SecretName = keyof LiteClusterSecrets;
type Fields = Record<string, string>;

const SECRET_NAMES: readonly SecretName[] = [
  'kubeconfig',
  'nodeToken',
  'credentialSecret',
  'nextCredentialSecret',
];

/** The records of lite clusters in Redis. Those of deleted clusters stay for some time, without secrets. */
export class LiteClusterStore {
  readonly #redis: Redis;
  readonly #sealer: Sealer;
  readonly #run: JobRun;

  constructor({ redis, sealer, run = {} }: LiteClusterStoreParts) {
    this.#redis = redis;
    this.#sealer = sealer;
    this.#run = run;
  }

  /**
   * The same records, for a run of a job: it asks before each write whether it still has its job. A process
   * that was frozen while another one ended the job changes nothing.
   */
  forRun(run: JobRun): LiteClusterStore {
    return new LiteClusterStore({ redis: this.#redis, sealer: this.#sealer, run });
  }

  /**
   * Writes a new record. Returns false if the node names would equal those of another cluster of the
   * project that is not DELETED.
   */
  async create(cluster: NewLiteCluster): Promise<boolean> {
    const { id, name, createdAt } = cluster;
    const fields = Object.entries(newRecord(cluster)).flat();
    const args = { id, name: nodeNameOf(name), createdAt, fields };
    const holder = await createScript.runReplicated(this.#redis, keysOf(cluster), args);
    return holder === id;
  }

  /**
   * Removes the record of a cluster of which nothing was made: its creation was not queued, or failed early.
   * A cluster that is not CREATING stays.
   */
  async discard(cluster: ClusterKey): Promise<void> {
    await this.#run.beforeWrite?.();
    const args = { id: cluster.id, name: nodeNameOf(cluster.name) };
    await discardScript.runReplicated(this.#redis, keysOf(cluster), args);
  }

  async read(id: string): Promise<LiteCluster | null> {
    return fromFields(await this.#redis.hgetall(liteClusterKeys.record(id)));
  }

  /** The clusters of a project, including DELETED ones, oldest first. */
  async readOfProject(projectId: string): Promise<LiteCluster[]> {
    return this.#readAll(await this.#redis.zrange(liteClusterKeys.ofProject(projectId), '0', '-1'));
  }

  /** The clusters of a project that are not DELETED, oldest first. */
  async readOpenOfProject(projectId: string): Promise<LiteCluster[]> {
    return openOf(await this.#readAll(await this.#redis.hvals(liteClusterKeys.names(projectId))));
  }

  /** The clusters of all projects that are not DELETED, oldest first. */
  async readOpen(): Promise<LiteCluster[]> {
    return openOf(await this.#readAll(await this.openIds()));
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
   *
   * @param change a function of the record as it is now, if it depends on that
   */
  async update(
    cluster: ClusterKey,
    change: LiteClusterChange | ((current: LiteCluster) => Omit<LiteClusterChange, 'status'>),
    statuses: readonly Exclude<LiteClusterStatus, 'DELETED'>[],
  ): Promise<boolean> {
    if (typeof change === 'object') return this.#update(cluster, toFields(change), statuses, change.status);
    const fieldsOf = async () => {
      const current = await this.read(cluster.id);
      return current === null ? null : toFields(change(current));
    };
    return this.#update(cluster, fieldsOf, statuses);
  }

  /** Changes the record of a DELETED cluster, to track its remaining resources. */
  async updateDeleted(cluster: ClusterKey, change: Omit<LiteClusterChange, 'status'>): Promise<void> {
    await this.#update(cluster, toFields(change), ['DELETED']);
  }

  /** The ids of the DELETED clusters whose resources may still exist. */
  removingIds(): Promise<string[]> {
    return this.#redis.smembers(liteClusterKeys.removing);
  }

  /**
   * Records that a DELETED cluster has no resources any more. Its record can be removed some time later.
   *
   * @param at in milliseconds since the epoch
   */
  async finishRemoval(cluster: ClusterKey, at: number): Promise<void> {
    await this.#run.beforeWrite?.();
    const args = { id: cluster.id, at };
    await finishRemovalScript.runReplicated(this.#redis, keysOf(cluster), args);
  }

  /** The first DELETED clusters whose removal ended before this time, in milliseconds since the epoch. */
  idsRemovedBefore(time: number, limit: number): Promise<string[]> {
    const { removed } = liteClusterKeys;
    return this.#redis.zrangebyscore(removed, '-inf', `(${time}`, 'LIMIT', 0, limit);
  }

  /** Removes the record of a DELETED cluster without resources. */
  async removeRecord(cluster: ClusterKey): Promise<void> {
    const args = { id: cluster.id };
    await removeRecordScript.runReplicated(this.#redis, keysOf(cluster), args);
  }

  /**
   * Encrypts and stores secrets of a cluster that exists or is being created. Returns false for any
   * other cluster: a run that was frozen, or a key rotation, must not restore secrets that were
   * destroyed with the cluster.
   */
  async putSecrets(cluster: ClusterKey, secrets: Partial<LiteClusterSecrets>): Promise<boolean> {
    const sealed = Object.entries(secrets).map(([name, text]) => [
      SECRET_PREFIX + name,
      this.#sealer.seal(secretPurpose(cluster.id, name), text),
    ]);
    return this.#update(cluster, Object.fromEntries(sealed), ['CREATING', 'ACTIVE']);
  }

  /**
   * Makes the next credential that of an ACTIVE cluster, with its secret. Can be repeated. Returns false if
   * the cluster has another status.
   */
  async adoptCredential(cluster: ClusterKey, credential: LiteCluster['credential']): Promise<boolean> {
    const fieldsOf = async () => {
      const secret = await this.readSecret(cluster, 'nextCredentialSecret');
      if (secret === null) return null;
      const sealed = this.#sealer.seal(secretPurpose(cluster.id, 'credentialSecret'), secret);
      return {
        ...toFields({ credential, isCredentialLost: false }),
        [`${SECRET_PREFIX}credentialSecret`]: sealed,
      };
    };
    return this.#update(cluster, fieldsOf, ['ACTIVE']);
  }

  /** Null if the cluster does not have the secret, or has it no longer. */
  async readSecret(cluster: ClusterKey, name: SecretName): Promise<string | null> {
    const sealed = await this.#redis.hget(liteClusterKeys.record(cluster.id), SECRET_PREFIX + name);
    return sealed === null ? null : this.#sealer.open(secretPurpose(cluster.id, name), sealed);
  }

  async hasSecret(cluster: ClusterKey, name: SecretName): Promise<boolean> {
    return (await this.#redis.hexists(liteClusterKeys.record(cluster.id), SECRET_PREFIX + name)) === 1;
  }

  async destroySecrets(cluster: ClusterKey): Promise<void> {
    await this.#run.beforeWrite?.();
    const keys = { record: liteClusterKeys.record(cluster.id) };
    await destroySecretsScript.run(this.#redis, keys, { prefix: SECRET_PREFIX });
  }

  /** Encrypts the secrets of a cluster with the current key, before their old key is removed. */
  async renewSeals({ id }: ClusterKey): Promise<void> {
    const hash = liteClusterKeys.record(id);
    for (const name of SECRET_NAMES) {
      const field = SECRET_PREFIX + name;
      const expected = await this.#redis.hget(hash, field);
      if (expected === null || this.#sealer.isCurrent(expected)) continue;
      const purpose = secretPurpose(id, name);
      const value = this.#sealer.seal(purpose, this.#sealer.open(purpose, expected));
      const args = { field, expected, value };
      await replaceFieldScript.runReplicated(this.#redis, { hash }, args);
    }
  }

  /** The stored fields of a cluster, with its secrets encrypted for another gateway; null without one. */
  async exportFields(id: string, receiver: Sealer): Promise<Record<string, string> | null> {
    const fields = await this.#redis.hgetall(liteClusterKeys.record(id));
    if (fields.id === undefined) return null;
    for (const name of SECRET_NAMES) {
      const sealed = fields[SECRET_PREFIX + name];
      const purpose = secretPurpose(id, name);
      if (sealed === undefined) continue;
      fields[SECRET_PREFIX + name] = receiver.seal(purpose, this.#sealer.open(purpose, sealed));
    }
    return fields;
  }

  /**
   * Stores fields of `exportFields` of another store. Returns what became of them: `kept` if the cluster is
   * stored already, `taken` if another one has its name. Throws if a secret cannot be decrypted.
   */
  async importFields(
    fields: Record<string, string>,
    { overwrite }: { overwrite: boolean },
  ): Promise<ImportOutcome> {
    const cluster = fromFields(fields);
    if (cluster === null) throw new Error('The fields have no id.');
    for (const name of SECRET_NAMES) {
      const sealed = fields[SECRET_PREFIX + name];
      if (sealed !== undefined) this.#sealer.open(secretPurpose(cluster.id, name), sealed);
    }
    const { removed: _, removing: __, ...keys } = keysOf(cluster);
    const { createdAt, id } = cluster;
    const args = {
      id,
      name: nodeNameOf(cluster.name),
      createdAt,
      overwrite,
      fields: Object.entries(fields).flat(),
    };
    const outcome = await importScript.runReplicated(this.#redis, keys, args);
    return outcome as ImportOutcome;
  }

  async #readAll(ids: readonly string[]): Promise<LiteCluster[]> {
    const found = await Promise.all(ids.map((id) => this.read(id)));
    return found.filter((cluster) => cluster !== null);
  }

  /** What depends on the record is read after the question whether the run still has its job. */
  async #update(
    cluster: ClusterKey,
    change: Fields | (() => Promise<Fields | null>),
    statuses: readonly LiteClusterStatus[],
    status?: LiteClusterStatus,
  ): Promise<boolean> {
    await this.#run.beforeWrite?.();
    const fields = typeof change === 'function' ? await change() : change;
    if (fields === null) return false;
    const args = {
      id: cluster.id,
      name: nodeNameOf(cluster.name),
      permitted: statuses.map((one) => JSON.stringify(one)).join(),
      newStatus: status === undefined ? '' : JSON.stringify(status),
      fields: Object.entries({ ...fields, ...toFields({ updatedAt: Date.now() }) }).flat(),
    };
    const keys = keysOf(cluster);
    return (await updateScript.runReplicated(this.#redis, keys, args)) === 1;
  }
}

function openOf(clusters: LiteCluster[]): LiteCluster[] {
  return clusters
    .filter(({ status }) => status !== 'DELETED')
    .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
}

function keysOf({ id, projectId }: ClusterKey) {
  const { names, ofProject, open, record, removed, removing } = liteClusterKeys;
  return {
    record: record(id),
    open,
    names: names(projectId),
    ofProject: ofProject(projectId),
    removing,
    removed,
  };
}
