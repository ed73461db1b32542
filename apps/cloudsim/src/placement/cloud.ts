import type { ComputeState } from '../compute/state.ts';
import type { Call } from '../http/operation.ts';

/** Placement has no state: it reports the hosts of the compute service and the usage of their servers. */
export interface PlacementCloud {
  readonly compute: ComputeState;
}

export type PlacementCall = Call<PlacementCloud>;
