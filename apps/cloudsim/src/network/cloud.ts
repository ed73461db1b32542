import type { TimeSource } from '../common/clock.ts';
import type { Schedule } from '../common/schedule.ts';
import type { Call } from '../http/operation.ts';
import type { NetworkState } from './state.ts';

/** The part of the cloud that the network service uses. */
export interface NetworkCloud {
  readonly clock: TimeSource;
  readonly schedule: Schedule<NetworkCloud>;
  readonly network: NetworkState;
}

export type NetworkCall = Call<NetworkCloud>;
