/** A call to a service. */
interface QueuedCall {
  /** Writes are sent before waiting reads. */
  isWrite: boolean;
  /** Ends the wait, which then throws the signal's reason. A sent call has a signal of its own. */
  signal?: AbortSignal;
  /** The error for a call that has waited too long. */
  toExpiredError(): Error;
}

/** Sends a waiting call. */
type Start = () => void;

/**
 * The calls of this process to one service. It limits the calls in flight, whatever the number of requests.
 * Other calls wait in the order of their arrival, writes before reads. See decision 92.
 */
export class CallQueue {
  readonly #maxInFlight: number;
  readonly #maxWaitMs: number;
  readonly #writes = new Set<Start>();
  readonly #reads = new Set<Start>();
  #inFlight = 0;

  constructor(maxInFlight: number, maxWaitMs: number) {
    this.#maxInFlight = maxInFlight;
    this.#maxWaitMs = maxWaitMs;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#writes.size + this.#reads.size;
  }

  /** Waits for a slot. The caller holds it until `leave`. */
  async enter(call: QueuedCall): Promise<void> {
    if (this.#inFlight < this.#maxInFlight) this.#inFlight += 1;
    else await this.#waitForSlot(call);
  }

  /** Passes the caller's slot on. */
  leave(): void {
    const [start] = this.#writes.size > 0 ? this.#writes : this.#reads;
    if (start === undefined) this.#inFlight -= 1;
    else start();
  }

  /** Resolves when a call that has ended leaves its slot to this one. */
  #waitForSlot({ isWrite, signal, toExpiredError }: QueuedCall): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = isWrite ? this.#writes : this.#reads;
      const end = () => {
        waiting.delete(start);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const start = () => {
        end();
        resolve();
      };
      const abort = () => {
        end();
        reject(signal?.reason);
      };
      const expire = () => {
        end();
        reject(toExpiredError());
      };
      const timer = setTimeout(expire, this.#maxWaitMs);
      waiting.add(start);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted === true) abort();
    });
  }
}
