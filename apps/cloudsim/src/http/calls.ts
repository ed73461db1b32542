/** One recorded call. No header but the global request id, and no body, is ever kept. */
export interface RecordedCall {
  seq: number;
  time: string;
  service: string;
  operation: string | null;
  method: string;
  path: string;
  /** Null until answered, and for good when the connection was dropped. */
  status: number | null;
  project: string | null;
  request_id: string | null;
  /** Whether the service did what it was asked for, be it that the caller was never told. */
  performed: boolean;
  /** The id of what the call made. */
  made: string | null;
}

export interface CallFilter {
  service: string | null;
  operation: string | null;
  requestId: string | null;
}

const KEPT = 100_000;

/** The calls since the last clearing, the oldest forgotten beyond a hundred thousand. */
export class CallLog {
  private calls: RecordedCall[] = [];
  private seq = 0;

  add(call: Omit<RecordedCall, 'seq'>): RecordedCall {
    const recorded = { seq: ++this.seq, ...call };
    this.calls.push(recorded);
    if (this.calls.length > KEPT * 1.5) this.calls = this.calls.slice(-KEPT);
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
