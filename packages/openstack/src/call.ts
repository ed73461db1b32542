import type { ItemShape } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';

/** Options of a call to a service, besides its own arguments. */
export interface CallContext {
  /** In the global form `req-<uuid>`; sent to every service. */
  requestId: string;
  /** The address of the client on whose behalf the call is made; sent with `http.forward_client_address`. */
  clientAddress?: string;
  /** Aborts the call, its retries and its waits, which then throw the signal's reason. */
  signal?: AbortSignal;
  /** Called before each attempt, when the queue admits it. If it throws, nothing is sent. */
  beforeSend?(): Promise<void>;
  /** Like `beforeSend`, for writes only. */
  beforeWrite?(): Promise<void>;
  /** Reads are retried after transient errors by default; `none` disables retries. */
  retry?: 'reads' | 'none';
  /**
   * Owner of the token. If the service rejects it, a user's token becomes a 401, the service user's a 502.
   */
  credentials?: 'user' | 'service';
}

/** A response of a service, or a failed attempt. Every attempt of a retried call emits one event. */
export interface UpstreamResponseEvent {
  service: ServiceName;
  /** `noun.verb`. It has few distinct values, so it can be a metrics label. */
  operation: string;
  /** Null without a response. */
  status: number | null;
  durationSeconds: number;
  requestId: string;
}

/** What was left out of a list because it cannot be read. */
export interface OddRecordEvent {
  service: ServiceName;
  /** The name of its declaration. */
  record: string;
  /** Its id, or what else it has. */
  row: string;
  /** Whether the same was left out less than an hour before. */
  isRepeated: boolean;
  requestId: string;
}

export interface UpstreamEvents {
  onResponse(event: UpstreamResponseEvent): void;
  onOddRecord?(event: OddRecordEvent): void;
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request to one service. */
export interface UpstreamRequest {
  service: ServiceName;
  operation: string;
  method: Method;
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON, with the `content-type` of the headers if they have one. */
  body?: unknown;
  /** The write may be retried after a transient error. */
  idempotent: boolean;
  /**
   * The request deletes a resource. If the resource's state does not allow that, the error is a 409,
   * whatever the service's status.
   */
  isDelete: boolean;
  /** The response must have a JSON body. */
  expectJson: boolean;
  /** The JSON body is a text, which may be empty. An object with values by default. */
  isText?: boolean;
  /** Whether a response with a status of 300 or above is a result, and not an error. */
  isResult?(response: { status: number; headers: Record<string, string | string[] | undefined> }): boolean;
  /** Maps each item of a list in the body. */
  shape?: ItemShape;
}
