import type { Clock } from '../common/clock.ts';
import type { ComputeCloud, ComputeSettings } from '../compute/cloud.ts';
import type { SharedFileSystemState } from '../shared-file-system/state.ts';
import type { KubernetesClusters } from './kubernetes/kubernetes.ts';
import type { KubernetesState } from './kubernetes/state.ts';
import type { GuestSettings } from './settings.ts';

/** The part of the cloud that guest systems use: they run in servers, and mount shares. */
export interface GuestCloud extends ComputeCloud {
  /** All of the clock, because guests need no schedule: a restart boots them again. */
  readonly clock: Clock;
  readonly settings: ComputeSettings & { readonly guest: GuestSettings };
  readonly sharedFileSystem: SharedFileSystemState;
  readonly kubernetes: KubernetesState;
  readonly kubernetesClusters: KubernetesClusters;
}
