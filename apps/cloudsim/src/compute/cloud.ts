import type { BlockStorageCloud, BlockStorageSettings } from '../block-storage/cloud.ts';
import type { Schedule } from '../common/schedule.ts';
import type { Call } from '../http/operation.ts';
import type { NetworkCloud } from '../network/cloud.ts';
import type { ComputeState, Server } from './state.ts';

export interface ComputeSettings extends BlockStorageSettings {
  /** The fault with which every server build fails; null lets builds succeed. */
  buildFault: { code: number; message: string } | null;
  /** When a server is deleted before it has a host, its volumes stay reserved, as in the real service. */
  leavesReservations: boolean;
  /** The names of the availability zones, the default first. */
  serverZones: string[];
}

/** The guest systems that run inside the servers. */
export interface ServerGuests {
  boot(server: Server): void;
  halt(server: Server): void;
  remove(server: Server): void;
  /** The lines that the guest has written to the console. */
  console(server: Server): readonly string[];
}

/**
 * The part of the cloud that the compute service uses: its own state, and the services that
 * provide the parts of servers.
 */
export interface ComputeCloud extends NetworkCloud, BlockStorageCloud {
  readonly schedule: Schedule<ComputeCloud>;
  readonly compute: ComputeState;
  readonly guests: ServerGuests;
  readonly settings: ComputeSettings;
  /** Administrators list the usage of all projects. */
  readonly identity: { readonly projects: ReadonlyMap<string, unknown> };
}

export type ComputeCall = Call<ComputeCloud>;
