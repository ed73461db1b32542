import type { Logger } from '@gateway/platform';
import type { EndedRequest, Written } from './activity.ts';

/** Learns what requests and jobs do. */
export interface ActivityReader {
  /** What is logged when the reader fails. */
  problem: string;
  /** Whether a write fails with the reader, because its response would be wrong. */
  isRequired?: boolean;
  /**
   * Called before the response of a write, or the last message of a job, and awaited. A write that has failed
   * may have had an effect.
   */
  written?(written: Written, logger: Logger): Promise<void>;
  /** Called before the response of a write is sent, with its status, and awaited. Fails nothing. */
  answering?(request: EndedRequest): Promise<void> | void;
  /** Called after the response of a write. Delays and fails nothing. */
  ended?(request: EndedRequest): Promise<void> | void;
}

/** Reports everything that a process writes to the same readers. See decision 202. */
export class ActivityReaders {
  readonly #readers: readonly ActivityReader[];
  readonly #logger: Logger;

  constructor(readers: readonly ActivityReader[], logger: Logger) {
    this.#readers = readers;
    this.#logger = logger;
  }

  /** Informs the readers one after the other: a list that a listener reads then shows the change. */
  async written(written: Written, logger: Logger = this.#logger): Promise<void> {
    if (written.resources.length === 0) return;
    for (const reader of this.#readers) {
      try {
        await reader.written?.(written, logger);
      } catch (error) {
        if (reader.isRequired === true) throw error;
        logger.warn(reader.problem, { error });
      }
    }
  }

  /** Whether any reader learns of responses before they are sent. */
  get readsAnswers(): boolean {
    return this.#readers.some(({ answering }) => answering !== undefined);
  }

  async answering(request: EndedRequest): Promise<void> {
    for (const reader of this.#readers) {
      try {
        await reader.answering?.(request);
      } catch (error) {
        this.#logger.warn(reader.problem, { request_id: request.requestId, error });
      }
    }
  }

  ended(ended: EndedRequest): void {
    for (const reader of this.#readers) {
      void (async () => reader.ended?.(ended))().catch((error: unknown) =>
        this.#logger.warn(reader.problem, { request_id: ended.requestId, error }),
      );
    }
  }
}
