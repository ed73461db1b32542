import type { ErrorFormat } from './error-formats.ts';
import type { Microversions } from './microversion.ts';
import type { Operation } from './operation.ts';

/** A simulated service: where it lives, how it speaks, what it answers. */
export interface Service<Cloud = unknown> {
  /** As in call records and faults: `compute`, `block-storage`. */
  name: string;
  /** Path on the one port, `:project` where the project is part of it. */
  prefix: string;
  operations: Operation<Cloud>[];
  errors: ErrorFormat;
  /** How a path that no operation has is answered, when not like other errors. */
  unrouted?: ErrorFormat;
  microversions?: Microversions;
  /** Message for a body that is no JSON. */
  malformed: string;
  malformedType?: string;
  /** Header names that carry the request id. */
  requestIdHeaders: string[];
  /** Headers of every answer, given the minor version. */
  headers?(minor: number): Record<string, string>;
}
