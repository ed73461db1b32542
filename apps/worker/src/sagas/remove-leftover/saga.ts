import type { Config } from '@gateway/config';
import type { LeftoverRemoval } from '@gateway/jobs';
import type { OwnerReaders } from '@gateway/leftovers';
import type { BoundClient, ProjectClient } from '@gateway/openstack';
import type { StepContext } from '@gateway/saga';

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
