import PQueue from 'p-queue';

/** A queued call to a service. */
interface QueuedCall<T> {
  send(): Promise<T>;
  /** Writes are sent before waiting reads. */
  isWrite: boolean;
  /** Ends the wait, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** The error for a call that has waited too long. */
  toExpiredError(): Error;
}

/**
 * The calls of this process to one service. It limits the calls in flight, whatever the number of requests.
 * Other calls wait in the order of their arrival, writes before reads. See decision 92.
 */
export class CallQueue {
  readonly #queue: PQueue;
  readonly #maxWaitMs: number;

  constructor(maxInFlight: number, maxWaitMs: number) {
    this.#queue = new PQueue({ concurrency: maxInFlight });
    this.#maxWaitMs = maxWaitMs;
  }

  get inFlight(): number {
    return this.#queue.pending;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  run<T>(call: QueuedCall<T>): Promise<T> {
    if (this.#queue.pending < this.#queue.concurrency) return this.#queue.add(call.send);
    return this.#runInTurn(call);
  }

  /**
   * The time limit and the signal apply only to the wait. A sent call has a time limit
   * and a signal of its own.
   */
  async #runInTurn<T>({ isWrite, send, signal, toExpiredError }: QueuedCall<T>): Promise<T> {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(toExpiredError()), this.#maxWaitMs);
    const abort = () => waiting.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    const endWait = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const sendInTurn = () => {
      endWait();
      return send();
    };
    try {
      return await this.#queue.add(sendInTurn, { priority: isWrite ? 1 : 0, signal: waiting.signal });
    } finally {
      endWait();
    }
  }
}
