import type { ServiceName } from '@gateway/config';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call to one service, as the layer above wants it. */
export interface UpstreamRequest {
  service: ServiceName;
  operation: string;
  method: Method;
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON when there is one. */
  body?: unknown;
  /** A write that may be repeated after a passing fault. */
  idempotent: boolean;
  /** A refusal for the state of the resource is a conflict, whatever the service calls it. */
  deletes: boolean;
  /** The answer must have a JSON body. */
  expectJson: boolean;
}
