import { newId } from '@gateway/core';
import { type Redis, replaceFieldScript } from '@gateway/store';
import {
  type AutoBackup,
  type AutoBackupSettings,
  fromHash,
  type RunOutcome,
  toHash,
} from './auto-backup.ts';
import { autoBackupKeys } from './keys.ts';
import {
  importScript,
  markHandledScript,
  markMissingScript,
  recordOutcomeScript,
  removeScript,
  requestVolumeCheckScript,
  saveScript,
  setEnabledScript,
  takePlaceScript,
} from './scripts.ts';

export interface NewAutoBackup extends AutoBackupSettings {
  projectId: string;
  volumeId: string;
  userId: string;
  sealedDelegation: string;
  /** The recorded intent of the delegation, which the write completes. */
  intent: { id: string; value: string };
  /** Milliseconds since the epoch. Due times before it do not count. */
  now: number;
}

/** A change by a user, or the rotation of the sealing keys, may come between reading and writing. */
const MAX_ATTEMPTS = 5;

type ImportOutcome = 'created' | 'replaced' | 'kept' | 'taken';

/** The configurations of auto backups in Redis; one per volume of a project. */
export class AutoBackupStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /**
   * Writes a configuration, or replaces that of the same volume, which keeps its id. Returns its id; null if
   * the delegation's intent was abandoned meanwhile.
   */
  async save({ intent, now, ...settings }: NewAutoBackup): Promise<string | null> {
    const { projectId, volumeId } = settings;
    const fields = toHash({ ...settings, updatedAt: now, handledUntil: now, enabled: true });
    const args = {
      volume: volumeId,
      newId: newId(),
      intent: intent.id,
      intentValue: intent.value,
      createdAt: now,
      fields: Object.entries(fields).flat(),
    };
    const id = await saveScript.runReplicated(this.#redis, keysOf(projectId), args);
    return id as string | null;
  }

  /**
   * Stores a configuration of another store. Due times before `handledUntil` do not count. Returns what
   * became of it: `kept` if it is stored already, `taken` if its volume has another one. A delegation that is
   * replaced is retired, unless `isKept`.
   */
  async import(
    configuration: AutoBackup,
    {
      overwrite,
      isKept = () => false,
    }: { overwrite: boolean; isKept?: (sealedDelegation: string) => boolean },
  ): Promise<ImportOutcome> {
    const { id, createdAt, projectId, version, volumeId } = configuration;
    const fields = Object.entries({ ...toHash(configuration), createdAt: String(createdAt) }).flat();
    const { intents: _, ...keys } = keysOf(projectId);
    for (let attempt = 1; ; attempt += 1) {
      const expected = (await this.#redis.hget(autoBackupKeys.record(id), 'delegation')) ?? '';
      const retires = overwrite && expected !== '' && !isKept(expected);
      const args = { volume: volumeId, id, overwrite, expected, retires, version, fields };
      const outcome = await importScript.runReplicated(this.#redis, keys, args);
      if (outcome !== 'changed') return outcome as ImportOutcome;
      if (attempt === MAX_ATTEMPTS) throw new Error('The delegation of an auto backup changes constantly.');
    }
  }

  /**
   * Removes the configuration of a volume; with `id`, only if it has that id. Returns its id; null without
   * one.
   */
  async remove(projectId: string, volumeId: string, id = ''): Promise<string | null> {
    const keys = keysOf(projectId);
    const args = { volume: volumeId, onlyId: id };
    const removed = await removeScript.runReplicated(this.#redis, keys, args);
    return removed as string | null;
  }

  /**
   * Pauses or resumes the configuration of a volume. Due times during a pause do not count. Returns its id;
   * null without one.
   */
  async setEnabled(
    projectId: string,
    volumeId: string,
    { enabled, now }: { enabled: boolean; now: number },
  ): Promise<string | null> {
    const { ofProject, recordPrefix } = keysOf(projectId);
    const args = { volume: volumeId, enabled: enabled ? '1' : '0', at: now };
    const keys = { recordPrefix, ofProject };
    const id = await setEnabledScript.runReplicated(this.#redis, keys, args);
    return id as string | null;
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
    return this.#readMany(await this.#redis.hvals(autoBackupKeys.ofProject(projectId)));
  }

  /** The ids of the volumes that have a configuration, also one that only a newer release can read. */
  volumesOfProject(projectId: string): Promise<string[]> {
    return this.#redis.hkeys(autoBackupKeys.ofProject(projectId));
  }

  /** The configurations of all projects, oldest first. */
  async readAll(): Promise<AutoBackup[]> {
    return this.#readMany(await this.allIds());
  }

  async #readMany(ids: readonly string[]): Promise<AutoBackup[]> {
    const found = await Promise.all(ids.map((id) => this.read(id)));
    return found
      .filter((record) => record !== null)
      .sort((a, b) => a.createdAt - b.createdAt || a.volumeId.localeCompare(b.volumeId));
  }

  /** The number of configurations whose last run failed. */
  countFailed(): Promise<number> {
    return this.#redis.scard(autoBackupKeys.failed);
  }

  allIds(): Promise<string[]> {
    return this.#redis.smembers(autoBackupKeys.all);
  }

  /**
   * Takes a place among the runs at once, of which there are at most `limit` (0: any number). Returns false
   * if there is none; the configuration then waits for one.
   */
  async takePlace(id: string, limit: number): Promise<boolean> {
    const { running, waiting } = autoBackupKeys;
    const keys = { running, waiting };
    const args = { id, limit };
    return (await takePlaceScript.runReplicated(this.#redis, keys, args)) === 1;
  }

  async leavePlace(id: string): Promise<void> {
    await this.#redis.zrem(autoBackupKeys.running, id);
  }

  async stopWaiting(id: string): Promise<void> {
    await this.#redis.zrem(autoBackupKeys.waiting, id);
  }

  /** The configurations that took their place up to this time, in milliseconds since the epoch. */
  runningSince(until: number): Promise<string[]> {
    return this.#redis.zrangebyscore(autoBackupKeys.running, '-inf', until);
  }

  /** The configurations that wait for a place, those that have waited longest first. */
  waitingIds(): Promise<string[]> {
    return this.#redis.zrange(autoBackupKeys.waiting, 0, '-1');
  }

  /** The first of them; null if none waits. `since` is in milliseconds since the epoch. */
  async firstWaiting(): Promise<{ id: string; since: number } | null> {
    const [id, since] = await this.#redis.zrange(autoBackupKeys.waiting, 0, '0', 'WITHSCORES');
    return id === undefined ? null : { id, since: Number(since) };
  }

  /** Records that the due times up to `due` were handled. Returns false when the configuration is gone. */
  async markHandled(id: string, due: number, skipped?: RunOutcome): Promise<boolean> {
    const fields = skipped === undefined ? [] : outcomeFields(skipped);
    const keys = { record: autoBackupKeys.record(id) };
    const args = { due, fields };
    const isKnown = await markHandledScript.runReplicated(this.#redis, keys, args);
    return isKnown === 1;
  }

  /**
   * Records the outcome of a run, unless a later run has recorded its own. Can be repeated.
   *
   * @param createdAt when the job of the run was created, in milliseconds since the epoch
   */
  async recordOutcome(id: string, createdAt: number, outcome: RunOutcome): Promise<void> {
    const keys = { record: autoBackupKeys.record(id), failed: autoBackupKeys.failed };
    const args = { id, createdAt, isFailure: outcome.status === 'failed', fields: outcomeFields(outcome) };
    await recordOutcomeScript.runReplicated(this.#redis, keys, args);
  }

  /**
   * Requests a check of a project's volumes, some of which may have been deleted. Does nothing in a project
   * without configurations.
   */
  async requestVolumeCheck(projectId: string): Promise<void> {
    const { ofProject, volumeChecks } = autoBackupKeys;
    const keys = { ofProject: ofProject(projectId), volumeChecks };
    const args = { project: projectId, check: newId() };
    await requestVolumeCheckScript.runReplicated(this.#redis, keys, args);
  }

  /** The requested checks, by project. */
  async requestedVolumeChecks(): Promise<Map<string, string>> {
    return new Map(Object.entries(await this.#redis.hgetall(autoBackupKeys.volumeChecks)));
  }

  /** Ends a check, unless another one has been requested since. */
  async endVolumeCheck(projectId: string, check: string): Promise<void> {
    const keys = { hash: autoBackupKeys.volumeChecks };
    const args = { field: projectId, expected: check, value: '' };
    await replaceFieldScript.runReplicated(this.#redis, keys, args);
  }

  /**
   * Records that the volume is missing. Returns since when; null if the configuration does not exist any
   * more.
   */
  async markMissing(id: string, now: number): Promise<number | null> {
    const since = await this.#markMissing(id, now);
    return since === null ? null : Number(since);
  }

  async markFound(id: string): Promise<void> {
    await this.#markMissing(id, '');
  }

  #markMissing(id: string, missingAt: number | ''): Promise<unknown> {
    const keys = { record: autoBackupKeys.record(id) };
    return markMissingScript.runReplicated(this.#redis, keys, { missingAt });
  }
}

function keysOf(projectId: string) {
  const { all, failed, intents, ofProject, record, retired } = autoBackupKeys;
  return { recordPrefix: record(''), ofProject: ofProject(projectId), all, failed, intents, retired };
}

function outcomeFields({ status, error, at }: RunOutcome): (string | number)[] {
  const fields = ['lastStatus', status, 'lastError', error ?? '', 'lastRunAt', at];
  return status === 'ok' ? [...fields, 'lastOkAt', at] : fields;
}
