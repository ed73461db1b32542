import { type ProjectPurge, purgeProgress } from '@gateway/jobs';
import type { BoundClient, ProjectClient } from '@gateway/openstack';
import type { Config, Logger } from '@gateway/platform';
import type { ProjectResource, ProjectResourceType } from '@gateway/resources';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';

export interface PurgeProjectContext {
  input: Omit<ProjectPurge, 'types'> & { types: readonly ProjectResourceType[] };
  config: Config;
  logger: Logger;
  /** The cloud with the rights of the administrator. */
  owner(): BoundClient;
  /** The same rights, limited to the resources of the project. */
  remover(): ProjectClient;
  /** Whether a job has ended, or is not known any more. */
  hasJobEnded(jobId: string): Promise<boolean>;
  /** Removes the gateway's own records of the project. */
  forgetProject(): Promise<void>;
}

export interface PurgeProjectState {
  /** Whether members could log in to the project. */
  wasEnabled: boolean;
  /** What the job removes, as its first event has said. */
  planned: ProjectResource[];
  /** By type, once all planned resources of the type are gone. */
  removed: Partial<Record<ProjectResourceType, true>>;
  isGone: boolean;
}

export type PurgeStepContext = StepContext<PurgeProjectContext, PurgeProjectState>;

export const definePurgeStep = defineStep<PurgeProjectContext, PurgeProjectState>();

/** The progress update of a step's beginning. */
export const announce = announcer(purgeProgress);

export function plannedOf({ planned = [] }: Partial<PurgeProjectState>, type: ProjectResourceType) {
  return planned.filter((resource) => resource.type === type);
}
