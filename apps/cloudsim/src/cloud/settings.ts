import type { BlockStorageSettings } from '../block-storage/cloud.ts';
import type { ComputeSettings } from '../compute/cloud.ts';
import { changeGuestSettings, defaultGuestSettings, type GuestSettings } from '../guest/settings.ts';
import type { PageSettings } from '../http/page.ts';
import type { IdentitySettings } from '../identity/cloud.ts';
import type { NetworkSettings } from '../network/cloud.ts';
import type { SharedFileSystemSettings } from '../shared-file-system/cloud.ts';

/** All settings of the cloud. Tests change them through the control API while the cloud runs. */
export interface Settings
  extends IdentitySettings,
    BlockStorageSettings,
    ComputeSettings,
    NetworkSettings,
    PageSettings,
    SharedFileSystemSettings {
  /** Factor on the delays of state transitions. */
  delayScale: number;
  /** Added to every call, in milliseconds by service name. */
  latencyMs: Map<string, number>;
  guest: GuestSettings;
}

export function defaultSettings(delayScale: number): Settings {
  return {
    tokenLifetimeSeconds: 14_400,
    refusesAccessRules: false,
    maxListLength: 1000,
    maxPageLength: 1000,
    hasDescriptions: true,
    hasQuotaDetails: true,
    hasDirectories: false,
    passwordPolicy: null,
    changePasswordUponFirstUse: false,
    trustedDashboards: [],
    keepsMappedGroups: false,
    delayScale,
    latencyMs: new Map(),
    exportPaths: {},
    guest: defaultGuestSettings(),
    buildFault: null,
    leavesReservations: false,
    serverZones: ['nova'],
    keepsDeletedVolumes: false,
    failsUploads: false,
    volumeZones: ['nova'],
  };
}

/** All but the latency, which has a path of its own in the control API. */
export type SettingsChange = Partial<Omit<Settings, 'guest' | 'latencyMs'>> & {
  guest?: Partial<GuestSettings>;
};

/** Paths of exports are added to those that are set. @throws when a setting is unknown or invalid */
export function changeSettings(
  settings: Settings,
  { guest = {}, exportPaths, ...change }: SettingsChange,
): void {
  const unknown = Object.keys(change).find((name) => name === 'latencyMs' || !(name in settings));
  if (unknown !== undefined) throw new Error(`there is no setting ${unknown}`);
  changeGuestSettings(settings.guest, guest);
  Object.assign(settings.exportPaths, exportPaths);
  Object.assign(settings, change);
}
