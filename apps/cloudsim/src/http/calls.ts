/** A recorded call. Records contain no bodies, and no headers except the global request id and the trace. */
export interface RecordedCall {
  seq: number;
  time: string;
  service: string;
  operation: string | null;
  method: string;
  path: string;
  /** Null until the response is sent. Stays null when the connection is dropped. */
  status: number | null;
  project: string | null;
  request_id: string | null;
  traceparent: string | null;
  /** Whether the call took effect, even when the client got no response. */
  performed: boolean;
  /** The id of the created resource. */
  made: string | null;
  /** The calls to the service that were in progress when this call arrived, including this call. */
  concurrent: number;
}

interface CallFilter {
  service: string | null;
  operation: string | null;
  requestId: string | null;
}

const MAX_CALLS = 100_000;

/** The calls since the last reset: at most 150,000, and after that the latest 100,000. */
export class CallLog {
  #calls: RecordedCall[] = [];
  #seq = 0;
  readonly #inProgress = new Map<string, number>();

  /** Call `end` when it has ended. */
  begin(call: Omit<RecordedCall, 'seq' | 'concurrent'>): RecordedCall {
    const concurrent = (this.#inProgress.get(call.service) ?? 0) + 1;
    this.#inProgress.set(call.service, concurrent);
    const recorded = { seq: ++this.#seq, ...call, concurrent };
    this.#calls.push(recorded);
    if (this.#calls.length > MAX_CALLS * 1.5) this.#calls = this.#calls.slice(-MAX_CALLS);
    return recorded;
  }

  end({ service }: RecordedCall): void {
    this.#inProgress.set(service, (this.#inProgress.get(service) ?? 1) - 1);
  }

  list({ service, operation, requestId }: CallFilter): RecordedCall[] {
    return this.#calls.filter(
      (call) =>
        (service === null || call.service === service) &&
        (operation === null || call.operation === operation) &&
        (requestId === null || call.request_id === requestId),
    );
  }

  clear(): void {
    this.#calls = [];
  }
}
