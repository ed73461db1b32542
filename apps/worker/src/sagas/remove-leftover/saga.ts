import type { OwnerReaders } from '@gateway/inventory';
import { type LeftoverRemoval, leftoverProgress } from '@gateway/jobs';
import type { BoundClient, ProjectClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { announcer, type StepContext } from '../../saga/index.ts';

export interface RemoveLeftoverContext {
  input: LeftoverRemoval;
  config: Config;
  owners: OwnerReaders;
  /** The cloud with the rights of the administrator. */
  owner(): BoundClient;
  /** The same rights, for removing resources of a project. */
  remover(projectId: string): ProjectClient;
}

export interface RemoveLeftoverState {
  isRemoved: boolean;
}

export type RemoveLeftoverStepContext = StepContext<RemoveLeftoverContext, RemoveLeftoverState>;

/** The progress update of a step's beginning. */
export const announce = announcer(leftoverProgress);
