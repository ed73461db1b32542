import type { TimeSource } from '../common/clock.ts';
import type { Schedule } from '../common/schedule.ts';
import type { Call } from '../http/operation.ts';
import type { PageSettings } from '../http/page.ts';
import type { KeyManagerState } from '../key-manager/state.ts';
import type { NetworkState } from '../network/state.ts';
import type { LoadBalancerState } from './state.ts';

/** The part of the cloud that the load balancer service uses. */
export interface LoadBalancerCloud {
  readonly clock: TimeSource;
  readonly settings: PageSettings;
  readonly schedule: Schedule<LoadBalancerCloud>;
  readonly keyManager: KeyManagerState;
  readonly network: NetworkState;
  readonly loadBalancer: LoadBalancerState;
}

export type LoadBalancerCall = Call<LoadBalancerCloud>;
