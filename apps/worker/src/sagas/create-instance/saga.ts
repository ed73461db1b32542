import { cutText, type Sealer } from '@gateway/core';
import type { GpuQuotaStore } from '@gateway/inventory';
import { type InstanceCreation, instanceProgress } from '@gateway/jobs';
import type { ShareProtocol } from '@gateway/libraries';
import type { BoundClient, PlannedNic, ProjectClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import type { ShareFields } from '@gateway/resources';
import { announcer, defineStep, requireState, type StepContext } from '../../saga/index.ts';
import type { CreatedPort } from '../resources/created-port.ts';
import type { ResourceContext } from '../resources/resource-step.ts';
import type { ShareAccess } from '../resources/share-access-step.ts';

/** The input and dependencies of the steps of a creation. */
export interface CreateInstanceContext extends ResourceContext {
  jobId: string;
  projectId: string;
  input: InstanceCreation;
  config: Config;
  sealer: Sealer;
  gpuQuotas: GpuQuotaStore;
  /** The cloud with the rights of the job's owner. Calls throw once the owner's token has expired. */
  owner(): BoundClient;
  /**
   * The cloud for finding and removing what the job has created, with whichever rights still work. These may
   * be an administrator's, so check that a resource found by name belongs to this job and this project.
   */
  remover(): ProjectClient;
  /** The gateway's own user in the project, who may force a deletion; null if it is not an administrator. */
  forcer(): Promise<ProjectClient | null>;
  /** The cloud with the rights of the gateway's own user; null when there is none. */
  service(): Promise<BoundClient | null>;
  /** The reports of the instance about its first boot. */
  firstBoot: {
    /** Issues the token of a server that is about to be created. */
    open(): Promise<string>;
    /** Refuses all further reports. */
    close(): Promise<void>;
  };
}

/** Decided before anything is created. */
export interface CreationPlan {
  bootVolumeSizeGb: number;
  /** The availability zone of the volumes; null for the block storage service's default. */
  volumeZone: string | null;
  /** The flavor has a GPU. */
  hasGpu: boolean;
  networkId: string;
  /** The network of the floating IP; null for an instance without one. */
  externalNetworkId: string | null;
  /** The subnets that a router connects to it. */
  routedSubnetIds: string[];
  /** The requested interfaces; absent for one new port on the network. */
  nics?: PlannedNic[];
  /** Dependencies first; empty for a plain instance. */
  libraryIds: string[];
  strategy: 'prebuilt' | 'dynamic' | null;
  /** The instance's own share; null unless the strategy is `dynamic`. */
  dynamicShare: ShareFields | null;
  /** Prebuilt shares in the order of the libraries. */
  prebuiltShares: PlannedShare[];
  /** A share grants access by address, so the address must be known before the server is created. */
  needsPort: boolean;
}

export interface PlannedShare {
  id: string;
  libraryId: string;
  protocol: ShareProtocol;
}

export type NewVolumeKey = `newVolumeId${number}`;
export type VolumeDeviceKey = `volumeDevice${number}`;

/** The results of the steps. Stored in the journal, so it contains no secrets. */
export interface CreateInstanceState {
  plan: CreationPlan;
  dynamicShareId: string;
  port: CreatedPort;
  accesses: ShareAccess[];
  bootVolumeId: string;
  upperVolumeId: string;
  /** The ids of the new volumes, by their index in the request. */
  [newVolumeId: NewVolumeKey]: string;
  /** The existing volumes that the job may attach. */
  heldVolumeIds: string[];
  serverId: string;
  upperDevice: string;
  /** The devices of the additional and then the new volumes, by index. */
  [volumeDevice: VolumeDeviceKey]: string;
  floatingIpId: string;
}

export type CreateStepContext = StepContext<CreateInstanceContext, CreateInstanceState>;

export const defineCreateStep = defineStep<CreateInstanceContext, CreateInstanceState>();

/** The progress update of a step's beginning. */
export const announce = announcer(instanceProgress);

/** True for an instance with libraries. */
export function isLayered(context: CreateStepContext): boolean {
  return requireState(context, 'plan').libraryIds.length > 0;
}

/** Maximum length of the instance's name within the names of its resources. */
const MAX_READABLE_LENGTH = 200;

/** The name of a resource of the instance: the instance's name for users, and the job's id for `find`. */
export function nameFor({ input, jobId }: CreateInstanceContext, what: string): string {
  return `${cutText(input.name, MAX_READABLE_LENGTH)}-${what}-${jobId}`;
}

/** The requested availability zone as a field for requests to the compute service; empty without one. */
export function zoneOf({ input }: CreateInstanceContext): { availability_zone?: string } {
  return zoneField(input.availabilityZone);
}

/** The same for volumes. */
export function volumeZoneOf(context: CreateStepContext): { availability_zone?: string } {
  return zoneField(requireState(context, 'plan').volumeZone);
}

function zoneField(zone: string | null): { availability_zone?: string } {
  return zone === null ? {} : { availability_zone: zone };
}

/** The user's own first-boot data; null for none. */
export function ownUserDataOf({ input, sealer }: { input: InstanceCreation; sealer: Sealer }): string | null {
  const { sealedUserData } = input.options;
  return sealedUserData === null ? null : sealer.open('userData', sealedUserData);
}

/** The security groups of new ports as a field for the network service; empty for the default group. */
export function groupsOfPort({ options: { securityGroupIds } }: InstanceCreation): string[] | undefined {
  return securityGroupIds.length === 0 ? undefined : securityGroupIds;
}
