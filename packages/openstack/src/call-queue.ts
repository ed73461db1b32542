/** A call to a service. */
interface QueuedCall {
  /** Writes are sent before waiting reads, but for some of these. */
  isWrite: boolean;
  /** Ends the wait, which then throws the signal's reason. A sent call has a signal of its own. */
  signal?: AbortSignal;
  /** The error for a call that has waited too long. */
  toExpiredError(): Error;
}

/** Sends a waiting call. */
type Start = () => void;

/** A read that waits is sent after so many writes, which otherwise could keep all reads away. */
const MAX_WRITES_IN_A_ROW = 3;

/**
 * The calls of this process to one service. It limits the calls in flight, whatever the number of requests.
 * Other calls wait in the order of their arrival, three writes before each read. See decision 92.
 */
export class CallQueue {
  readonly #maxInFlight: number;
  readonly #maxWaitMs: number;
  readonly #writes = new Set<Start>();
  readonly #reads = new Set<Start>();
  #inFlight = 0;
  /** The writes that were sent since the last read that has waited. */
  #writesInARow = 0;

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
    const isReadsTurn = this.#writesInARow >= MAX_WRITES_IN_A_ROW && this.#reads.size > 0;
    const isWrite = this.#writes.size > 0 && !isReadsTurn;
    const [start] = isWrite ? this.#writes : this.#reads;
    this.#writesInARow = isWrite ? this.#writesInARow + 1 : 0;
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
