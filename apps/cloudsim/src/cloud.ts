import { type BlockStorageState, emptyBlockStorage } from './block-storage/state.ts';
import type { Clock } from './clock.ts';
import { type ComputeState, emptyCompute } from './compute/state.ts';
import type { Guests } from './guest/guests.ts';
import { defaultGuestSettings, type GuestSettings } from './guest/settings.ts';
import { CallLog } from './http/calls.ts';
import { Faults } from './http/faults.ts';
import { Holds } from './http/holds.ts';
import { emptyIdentity, type IdentityState } from './identity/state.ts';
import { emptyImages, type ImageState } from './image/state.ts';
import { emptyNetwork, type NetworkState } from './network/state.ts';
import { seed } from './seed.ts';
import { emptySharedFileSystem, type SharedFileSystemState } from './shared-file-system/state.ts';

export interface Settings {
  tokenLifetimeSeconds: number;
  /** What new passwords must match, and how people are told; null for anything. */
  passwordPolicy: { regex: string; description: string } | null;
  /** Factor on the delays of state transitions. */
  delayScale: number;
  /** Added to every call, by service name. */
  latencyMs: Map<string, number>;
  /** By protocol, the export location of every share that is made from now on. */
  exportPaths: Record<string, string>;
  guest: GuestSettings;
  /** With which every server's building fails from now on; null for none. */
  buildFault: { code: number; message: string } | null;
  /** A server that is deleted before it has a host leaves its volumes reserved, as happens to the real service. */
  leavesReservations: boolean;
}

export function defaultSettings(delayScale: number): Settings {
  return {
    tokenLifetimeSeconds: 14_400,
    passwordPolicy: null,
    delayScale,
    latencyMs: new Map(),
    exportPaths: {},
    guest: defaultGuestSettings(),
    buildFault: null,
    leavesReservations: false,
  };
}

/** The whole simulated cloud: everything it knows, and the time it lives in. */
export interface Cloud {
  readonly clock: Clock;
  /** Where it is reached, without a slash at the end: what catalog and links begin with. */
  publicUrl: string;
  readonly settings: Settings;
  readonly faults: Faults;
  readonly holds: Holds;
  readonly calls: CallLog;
  readonly guests: Guests;
  identity: IdentityState;
  compute: ComputeState;
  images: ImageState;
  blockStorage: BlockStorageState;
  network: NetworkState;
  sharedFileSystem: SharedFileSystemState;
}

export function createCloud(clock: Clock, settings: Settings, publicUrl: string, guests: Guests): Cloud {
  const cloud: Cloud = {
    clock,
    publicUrl,
    settings,
    faults: new Faults(),
    holds: new Holds(),
    calls: new CallLog(),
    guests,
    ...emptyState(),
  };
  seed(cloud);
  return cloud;
}

/** Back to the seed: what was made, was to happen, misbehaved, was held or recorded is forgotten. */
export function resetCloud(cloud: Cloud, settings: Settings): void {
  cloud.clock.cancelAll();
  cloud.guests.clear();
  cloud.faults.clear();
  cloud.holds.clear();
  cloud.calls.clear();
  Object.assign(cloud.settings, settings);
  Object.assign(cloud, emptyState());
  seed(cloud);
}

function emptyState() {
  return {
    identity: emptyIdentity(),
    compute: emptyCompute(),
    images: emptyImages(),
    blockStorage: emptyBlockStorage(),
    network: emptyNetwork(),
    sharedFileSystem: emptySharedFileSystem(),
  };
}
