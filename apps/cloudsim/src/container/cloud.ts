import type { TimeSource } from '../common/clock.ts';
import type { Schedule } from '../common/schedule.ts';
import type { Call } from '../http/operation.ts';
import type { PageSettings } from '../http/page.ts';
import type { NetworkState } from '../network/state.ts';
import type { ContainerState } from './state.ts';

/** The part of the cloud that the container service uses. */
export interface ContainerCloud {
  readonly clock: TimeSource;
  readonly settings: PageSettings;
  readonly schedule: Schedule<ContainerCloud>;
  readonly network: NetworkState;
  readonly container: ContainerState;
}

export type ContainerCall = Call<ContainerCloud>;
