import { emptyBlockStorage } from '../block-storage/state.ts';
import type { Clock } from '../common/clock.ts';
import { TaskSchedule } from '../common/schedule.ts';
import { emptyCompute } from '../compute/state.ts';
import type { ContainerCloud } from '../container/cloud.ts';
import { emptyContainer } from '../container/state.ts';
import type { ContainerInfraCloud } from '../container-infra/cloud.ts';
import { emptyContainerInfra } from '../container-infra/state.ts';
import type { GuestCloud } from '../guest/cloud.ts';
import { Guests } from '../guest/guests.ts';
import { KubernetesClusters } from '../guest/kubernetes/kubernetes.ts';
import { emptyKubernetes } from '../guest/kubernetes/state.ts';
import { CallLog } from '../http/calls.ts';
import type { DispatchCloud } from '../http/dispatch.ts';
import { Faults } from '../http/faults.ts';
import { Holds } from '../http/holds.ts';
import { authenticate } from '../identity/authentication.ts';
import { isPermitted } from '../identity/permitted-requests.ts';
import { emptyIdentity, type IdentityState } from '../identity/state.ts';
import { isOfLostTrust } from '../identity/tokens.ts';
import { emptyImages } from '../image/state.ts';
import type { KeyManagerCloud } from '../key-manager/cloud.ts';
import { emptyKeyManager } from '../key-manager/state.ts';
import type { LoadBalancerCloud } from '../load-balancer/cloud.ts';
import { emptyLoadBalancer } from '../load-balancer/state.ts';
import { emptyNetwork } from '../network/state.ts';
import { seed } from '../seed/seed.ts';
import { emptySharedFileSystem } from '../shared-file-system/state.ts';
import type { Settings } from './settings.ts';
import { tasks } from './tasks.ts';

/**
 * The whole simulated cloud: the sum of what its services use. Only the control API and the server use all of
 * it. Each service declares the part that it uses in its own `cloud.ts`.
 */
export interface Cloud
  extends GuestCloud,
    DispatchCloud,
    Omit<LoadBalancerCloud, 'schedule'>,
    Pick<ContainerInfraCloud, 'containerInfra'>,
    Pick<ContainerCloud, 'container'>,
    Pick<KeyManagerCloud, 'keyManager'> {
  /** The address in the catalog and in links, without a trailing slash. */
  publicUrl: string;
  readonly region: string;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly schedule: TaskSchedule<Cloud>;
  readonly guests: Guests;
  readonly identity: IdentityState;
}

interface CloudOptions {
  clock: Clock;
  settings: Settings;
  publicUrl: string;
  region: string;
  /** Whether guests may call other machines than this one. */
  guestsCallAnywhere: boolean;
  /** Called when something in a guest has changed the state. */
  onGuestChange?(): void;
}

export function createCloud(options: CloudOptions): Cloud {
  const { clock, settings, publicUrl, region, guestsCallAnywhere, onGuestChange = () => {} } = options;
  const cloud: Cloud = {
    clock,
    schedule: new TaskSchedule(clock, () => cloud, tasks),
    publicUrl,
    region,
    settings,
    faults: new Faults(),
    holds: new Holds(),
    calls: new CallLog(),
    guests: new Guests(() => cloud, guestsCallAnywhere),
    kubernetesClusters: new KubernetesClusters(() => cloud.kubernetes, onGuestChange, {
      upgrades: () => ({
        durationMs: settings.guest.workMs * settings.delayScale,
        failing: settings.guest.failedUpgrades,
      }),
    }),
    authenticate: (tokenId) => authenticate(cloud, tokenId),
    isUnjudged: (tokenId) => isOfLostTrust(cloud, tokenId),
    isPermitted: ({ tokenId }, request) => isPermitted(cloud, tokenId, request),
    ...emptyState(),
  };
  seed(cloud);
  return cloud;
}

/**
 * Returns the cloud to the seeded state. Cancels scheduled tasks, and clears faults,
 * holds and recorded calls.
 */
export function resetCloud(cloud: Cloud, settings: Settings): void {
  cloud.clock.cancelAll();
  cloud.schedule.clear();
  cloud.guests.clear();
  cloud.kubernetesClusters.close();
  cloud.faults.clear();
  cloud.holds.clear();
  cloud.calls.clear();
  Object.assign(cloud.settings, settings);
  Object.assign(cloud, emptyState());
  seed(cloud);
}

export type ServiceStates = ReturnType<typeof emptyState>;

export function emptyState() {
  return {
    identity: emptyIdentity(),
    compute: emptyCompute(),
    images: emptyImages(),
    blockStorage: emptyBlockStorage(),
    network: emptyNetwork(),
    loadBalancer: emptyLoadBalancer(),
    sharedFileSystem: emptySharedFileSystem(),
    containerInfra: emptyContainerInfra(),
    container: emptyContainer(),
    keyManager: emptyKeyManager(),
    kubernetes: emptyKubernetes(),
  };
}
