import type { OwnUse } from '@gateway/inventory';
import { type DeletedServer, instanceDeletionProgress, type Leftover } from '@gateway/jobs';
import type { BoundClient, ProjectClient } from '@gateway/openstack';
import type { Config, Logger } from '@gateway/platform';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';

export interface DeleteInstanceContext {
  instanceId: string;
  server: DeletedServer;
  config: Config;
  logger: Logger;
  owner(): BoundClient;
  /** The cloud for removing what the owner may remove, with whichever rights still work. */
  remover(): ProjectClient;
  /** The gateway's own user in the project, who may force a deletion; null if it is not an administrator. */
  forcer(): Promise<ProjectClient | null>;
  /** Null when the gateway has no user of its own. */
  service(): Promise<BoundClient | null>;
  /** Removes what the gateway stores about the first boot of the instance of a job of this project. */
  removeFirstBoot(jobId: string): Promise<void>;
}

/**
 * Everything that is deleted with the instance, read before the server is deleted: the resources that the
 * server names, and those with the mark of its creation.
 */
export interface AssociatedResources {
  /** The job that created the server; absent for another server, also with a copy of the job's mark. */
  creationJobId?: string;
  /** The boot and the upper volume, without volumes that were attached later. */
  volumeIds: string[];
  floatingIpIds: string[];
  /** Ports that the job created for the instance; the compute service removes only its own ports. */
  portIds: string[];
  /** All ports that the server had. */
  serverPortIds: string[];
  /** The instance's access rules on prebuilt shares. */
  accessRules: { shareId: string; ruleId: string }[];
  dynamicShareIds: string[];
}

export interface DeleteInstanceState {
  associated: AssociatedResources;
  /** Other servers that the same job has created. */
  duplicateIds: string[];
  /** That other servers could not be searched for, and those that sweeps could not remove. */
  duplicatesLeft: Leftover[];
  leftovers: Leftover[];
  /** Floating IPs that were created while the instance was being deleted. */
  lateLeftovers: Leftover[];
}

export type DeleteStepContext = StepContext<DeleteInstanceContext, DeleteInstanceState>;

export const defineDeleteStep = defineStep<DeleteInstanceContext, DeleteInstanceState>();

/** The progress update of a step's beginning. */
export const announce = announcer(instanceDeletionProgress);

export function associatedResourcesOf({ state }: DeleteStepContext): AssociatedResources {
  if (state.associated === undefined) throw new Error('The associated resources are not known yet.');
  return state.associated;
}

/** The servers of the deletion. What others use by now stays. */
export function ownServers(
  { instanceId, state }: DeleteStepContext,
  duplicateIds: readonly string[] = state.duplicateIds ?? [],
): Pick<OwnUse, 'deviceIds'> {
  return { deviceIds: [instanceId, ...duplicateIds] };
}
