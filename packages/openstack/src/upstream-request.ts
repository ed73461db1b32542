import type { ItemShape } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';

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
