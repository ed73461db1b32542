import type { ServiceName } from '@gateway/config';

/** Options of a call to a service, besides its own arguments. */
export interface CallContext {
  /** In the global form `req-<uuid>`; sent to every service. */
  requestId: string;
  /** The address of the client for whom the call is made, for services that want it (`http.forward_client_address`). */
  clientAddress?: string;
  /** Aborts the call, its retries and its waits, which then throw the signal's reason. */
  signal?: AbortSignal;
  /** Called before each attempt, when its turn has come. If it throws, nothing is sent. */
  beforeSend?(): Promise<void>;
  /** The same, for writes only. */
  beforeWrite?(): Promise<void>;
  /** Reads are retried after transient errors by default; `none` turns retries off. */
  retry?: 'reads' | 'none';
  /** Owner of the token. A rejected token of a user becomes a 401, one of the service user a 502. */
  credentials?: 'user' | 'service';
}

/** A response of a service, or a failed attempt. Every attempt of a retried call emits one event. */
export interface UpstreamResponseEvent {
  service: ServiceName;
  /** `noun.verb`; few distinct values, so it can be a metrics label. */
  operation: string;
  /** Null without a response. */
  status: number | null;
  durationSeconds: number;
  requestId: string;
}

export interface UpstreamEvents {
  onResponse(event: UpstreamResponseEvent): void;
}
