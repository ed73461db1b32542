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
}

export interface CallFilter {
  service: string | null;
  operation: string | null;
  requestId: string | null;
}

const MAX_CALLS = 100_000;

/** The calls since the last reset: at most 150,000, and after that the latest 100,000. */
export class CallLog {
  private calls: RecordedCall[] = [];
  private seq = 0;

  add(call: Omit<RecordedCall, 'seq'>): RecordedCall {
    const recorded = { seq: ++this.seq, ...call };
    this.calls.push(recorded);
    if (this.calls.length > MAX_CALLS * 1.5) this.calls = this.calls.slice(-MAX_CALLS);
    return recorded;
  }

  list({ service, operation, requestId }: CallFilter): RecordedCall[] {
    return this.calls.filter(
      (call) =>
        (service === null || call.service === service) &&
        (operation === null || call.operation === operation) &&
        (requestId === null || call.request_id === requestId),
    );
  }

  clear(): void {
    this.calls = [];
  }
}
