import type { TimeSource } from '../common/clock.ts';
import type { Schedule } from '../common/schedule.ts';
import type { Call } from '../http/operation.ts';
import type { NetworkState } from './state.ts';

export interface NetworkSettings {
  /** Whether networks, ports, floating IPs and other resources have descriptions. */
  hasDescriptions: boolean;
  /** Whether the service says how much of a quota is in use, as it does with the usual driver of quotas. */
  hasQuotaDetails: boolean;
}

/** The part of the cloud that the network service uses. */
export interface NetworkCloud {
  readonly clock: TimeSource;
  readonly schedule: Schedule<NetworkCloud>;
  readonly network: NetworkState;
}

/** What the calls of the service itself use besides. */
export interface NetworkServiceCloud extends NetworkCloud {
  readonly settings: NetworkSettings;
}

export type NetworkCall = Call<NetworkServiceCloud>;
