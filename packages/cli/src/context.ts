import type { Readable, Writable } from 'node:stream';
import type { Catalog } from './catalog/catalog.ts';

export type Environment = Record<string, string | undefined>;

type Input = Readable & { isTTY?: boolean };
/** `columns` is the width of a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** What a command gets from its process. */
export interface Context {
  env: Environment;
  stdin: Input;
  /** Only results. Questions, progress and notes go to `stderr`. */
  stdout: Output;
  stderr: Output;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  catalog: Catalog;
}
