import { newId } from '@gateway/core';
import { type Redis, type ReplicatedWrite, unreplicatedWrite } from '@gateway/redis';
import {
  type AutoBackup,
  type AutoBackupSettings,
  fromHash,
  type RunOutcome,
  toHash,
} from './configuration.ts';
import { autoBackupKeys } from './keys.ts';
import {
  HANDLED_SCRIPT,
  MISSING_SCRIPT,
  OUTCOME_SCRIPT,
  REMOVE_SCRIPT,
  REPLACE_FIELD_SCRIPT,
  REQUEST_VOLUME_CHECK_SCRIPT,
  SAVE_SCRIPT,
} from './scripts.ts';

export interface NewAutoBackup extends AutoBackupSettings {
  projectId: string;
  volumeId: string;
  userId: string;
  sealedDelegation: string;
  /** The journaled intent of the delegation, which the write completes. */
  intent: { id: string; value: string };
  /** Milliseconds since the epoch. Due times before it do not count. */
  now: number;
}

/** The configurations of auto backups in Redis; one per volume of a project. */
export class AutoBackupStore {
  readonly #redis: Redis;
  readonly #replicatedWrite: ReplicatedWrite;

  constructor(redis: Redis, replicatedWrite: ReplicatedWrite = unreplicatedWrite) {
    this.#redis = redis;
    this.#replicatedWrite = replicatedWrite;
  }

  /**
   * Writes a configuration, or replaces that of the same volume, which keeps its id. Returns its id; null when the
   * delegation's intent was given up meanwhile.
   */
  async save({ intent, now, ...settings }: NewAutoBackup): Promise<string | null> {
    const { projectId, volumeId } = settings;
    const fields = toHash({ ...settings, updatedAt: now, handledUntil: now });
    const keys = [
      autoBackupKeys.ofProject(projectId),
      autoBackupKeys.all,
      autoBackupKeys.intents,
      autoBackupKeys.retired,
      autoBackupKeys.record(''),
    ];
    const args = [volumeId, newId(), intent.id, intent.value, now, ...Object.entries(fields).flat()];
    return (await this.#write(SAVE_SCRIPT, keys, args)) as string | null;
  }

  /** Removes the configuration of a volume, but only the one with `id` when that is given. Returns its id; null without one. */
  async remove(projectId: string, volumeId: string, id = ''): Promise<string | null> {
    const keys = [
      autoBackupKeys.ofProject(projectId),
      autoBackupKeys.all,
      autoBackupKeys.retired,
      autoBackupKeys.record(''),
      autoBackupKeys.failed,
    ];
    return (await this.#write(REMOVE_SCRIPT, keys, [volumeId, id])) as string | null;
  }

  async read(id: string): Promise<AutoBackup | null> {
    return fromHash(await this.#redis.hgetall(autoBackupKeys.record(id)));
  }

  async readOfVolume(projectId: string, volumeId: string): Promise<AutoBackup | null> {
    const id = await this.#redis.hget(autoBackupKeys.ofProject(projectId), volumeId);
    return id === null ? null : this.read(id);
  }

  /** The configurations of a project, oldest first. */
  async readOfProject(projectId: string): Promise<AutoBackup[]> {
    const ids = await this.#redis.hvals(autoBackupKeys.ofProject(projectId));
    const found = await Promise.all(ids.map((id) => this.read(id)));
    return found
      .filter((record) => record !== null)
      .sort((a, b) => a.createdAt - b.createdAt || a.volumeId.localeCompare(b.volumeId));
  }

  /** How many configurations there are whose last run failed. */
  countFailed(): Promise<number> {
    return this.#redis.scard(autoBackupKeys.failed);
  }

  allIds(): Promise<string[]> {
    return this.#redis.smembers(autoBackupKeys.all);
  }

  /** Records that the due times up to `due` were handled. Returns false when the configuration is gone. */
  async markHandled(id: string, due: number, skipped?: RunOutcome): Promise<boolean> {
    const fields = skipped === undefined ? [] : outcomeFields(skipped);
    return (await this.#write(HANDLED_SCRIPT, [autoBackupKeys.record(id)], [due, ...fields])) === 1;
  }

  /** Records the outcome of the run of a due time. Can be repeated. */
  async recordOutcome(id: string, due: number, outcome: RunOutcome): Promise<void> {
    const keys = [autoBackupKeys.record(id), autoBackupKeys.failed];
    const failed = String(outcome.status === 'failed');
    await this.#write(OUTCOME_SCRIPT, keys, [due, id, failed, ...outcomeFields(outcome)]);
  }

  /** Requests a check of the volumes of a project, some of which may be gone. Does nothing in a project without configurations. */
  async requestVolumeCheck(projectId: string): Promise<void> {
    const keys = [autoBackupKeys.ofProject(projectId), autoBackupKeys.volumeChecks];
    await this.#write(REQUEST_VOLUME_CHECK_SCRIPT, keys, [projectId, newId()]);
  }

  /** The requested checks, by project. */
  async requestedVolumeChecks(): Promise<Map<string, string>> {
    return new Map(Object.entries(await this.#redis.hgetall(autoBackupKeys.volumeChecks)));
  }

  /** Ends a check, unless another one has been requested since. */
  async endVolumeCheck(projectId: string, check: string): Promise<void> {
    await this.#write(REPLACE_FIELD_SCRIPT, [autoBackupKeys.volumeChecks], [projectId, check, '']);
  }

  /** Records that the volume was not found now. Returns when that was so first; null when the configuration is gone. */
  async markMissing(id: string, now: number): Promise<number | null> {
    const since = await this.#write(MISSING_SCRIPT, [autoBackupKeys.record(id)], [now]);
    return since === null ? null : Number(since);
  }

  async markFound(id: string): Promise<void> {
    await this.#write(MISSING_SCRIPT, [autoBackupKeys.record(id)], ['']);
  }

  #write(script: string, keys: string[], args: (string | number)[]): Promise<unknown> {
    return this.#replicatedWrite(this.#redis, keys[0] ?? '', (pipeline) =>
      pipeline.eval(script, keys.length, ...keys, ...args),
    );
  }
}

function outcomeFields({ status, error, at }: RunOutcome): (string | number)[] {
  return ['lastStatus', status, 'lastError', error ?? '', 'lastRunAt', at];
}
