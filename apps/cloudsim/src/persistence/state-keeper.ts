import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.ts';
import { decodeState, encodeState, readIfPresent, replaceFile } from './state-file.ts';

/**
 * Changes within this time are saved together. A killed process loses the changes of at most
 * this time and one save.
 */
const SAVE_DELAY_MS = 200;
/** An orphaned process stops a few seconds after its parent. */
const LOCK_WAIT_MS = 6_000;

/** Keeps a state in the file `state` of a data folder. */
export class StateKeeper<State> {
  readonly #file: string;
  readonly #shape: string;
  readonly #unlock: () => void;
  readonly #current: () => State;
  #timer: NodeJS.Timeout | undefined;
  #saved: Buffer | null = null;
  #saving: Promise<void> = Promise.resolve();
  #isFailing = false;
  #isClosed = false;

  private constructor(dir: string, shape: string, unlock: () => void, current: () => State) {
    this.#file = join(dir, 'state');
    this.#shape = shape;
    this.#unlock = unlock;
    this.#current = current;
  }

  /**
   * Locks the folder. `shape` describes the state: files with another shape are not read.
   * @throws when another process uses the folder
   */
  static async open<State>(dir: string, shape: string, current: () => State): Promise<StateKeeper<State>> {
    return new StateKeeper(dir, shape, await lockFolder(dir, LOCK_WAIT_MS), current);
  }

  /** The stored state; null without one. Renames a file that cannot be used, and logs a warning. */
  async load(): Promise<State | null> {
    try {
      this.#saved = await readIfPresent(this.#file);
      return this.#saved === null ? null : (decodeState(this.#saved, this.#shape) as State);
    } catch (error) {
      const kept = `${this.#file}.unusable`;
      await rename(this.#file, kept).catch(() => {});
      this.#saved = null;
      log('warn', 'The stored state of the simulated cloud cannot be used; it starts with the seeded state', {
        reason: reasonOf(error),
        renamed_to: kept,
      });
      return null;
    }
  }

  /** Saves the state soon, if it has changed. */
  changed(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#save();
    }, SAVE_DELAY_MS);
  }

  /** Deletes the stored state. The current state is saved after its next change. */
  async clear(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      await rm(this.#file, { force: true });
      this.#saved = this.#encode();
    });
    await this.#saving;
  }

  /** Releases the folder without saving. */
  abandon(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unlock();
  }

  /** Saves the state and releases the folder. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#save();
    this.#unlock();
  }

  /** Runs one save at a time. Logs failures once; the next change saves again. */
  #save(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      try {
        const content = this.#encode();
        if (this.#saved?.equals(content)) return;
        await replaceFile(this.#file, content);
        this.#saved = content;
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing)
          log('error', 'Failed to save the state of the simulated cloud', { reason: reasonOf(error) });
        this.#isFailing = true;
      }
    });
    return this.#saving;
  }

  #encode(): Buffer {
    return encodeState(this.#current(), this.#shape);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function log(level: 'warn' | 'error', message: string, fields: Record<string, string>): void {
  console.log(JSON.stringify({ level, message, ...fields }));
}
