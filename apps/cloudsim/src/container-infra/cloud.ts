import type { TimeSource } from '../common/clock.ts';
import type { Schedule } from '../common/schedule.ts';
import type { ComputeState } from '../compute/state.ts';
import type { Call } from '../http/operation.ts';
import type { ContainerInfraState } from './state.ts';

/** The part of the cloud that the container infrastructure service uses. */
export interface ContainerInfraCloud {
  readonly clock: TimeSource;
  readonly schedule: Schedule<ContainerInfraCloud>;
  readonly compute: Pick<ComputeState, 'keyPairs'>;
  readonly containerInfra: ContainerInfraState;
}

export type ContainerInfraCall = Call<ContainerInfraCloud>;
