import type { ErrorFormat } from './error-formats.ts';
import type { Microversions } from './microversion.ts';
import type { Operation } from './operation.ts';

/** A simulated service: its path, error format and operations. */
export interface Service<Cloud = unknown> {
  /** The name in call records and faults, such as `compute` or `block-storage`. */
  name: string;
  /** Path on the shared port, with `:project` where the project id is part of the path. */
  prefix: string;
  operations: Operation<Cloud>[];
  errors: ErrorFormat;
  /** The format of a 404 for an unknown path, when it differs from other errors. */
  unrouted?: ErrorFormat;
  microversions?: Microversions;
  /** The service itself decides who may write, in place of the rule that a writer is a member. */
  hasOwnRules?: boolean;
  /** Message for a body that is not JSON. */
  malformed: string;
  malformedType?: string;
  /** Names of the response headers that hold the request id. */
  requestIdHeaders: string[];
  /** Headers of all responses in the minor version. */
  headers?(minor: number): Record<string, string>;
}
