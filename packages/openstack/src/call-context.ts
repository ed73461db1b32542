import type { ServiceName } from '@gateway/config';

/** What a call to a service carries besides its own arguments. */
export interface CallContext {
  /** In the global form `req-<uuid>`; sent to every service. */
  requestId: string;
  /** Ends the call, its retries and its waits; the signal's reason is thrown. */
  signal?: AbortSignal;
  /** Asked right before each write is sent; when it throws, the write is not sent. */
  beforeWrite?(): Promise<void>;
  /** Reads are repeated after passing faults unless told `none`. */
  retry?: 'reads' | 'none';
  /** Whose token it is: a refused token of a user is his 401, one of the gateway's own user is a fault (502). */
  credentials?: 'user' | 'service';
}

/** One answer of a service, or its absence; retried calls announce each attempt. */
export interface UpstreamResponseEvent {
  service: ServiceName;
  /** `noun.verb`, few in number: fit for a metrics label. */
  operation: string;
  /** Null when there was no answer. */
  status: number | null;
  durationSeconds: number;
  requestId: string;
}

export interface UpstreamEvents {
  onResponse(event: UpstreamResponseEvent): void;
}
