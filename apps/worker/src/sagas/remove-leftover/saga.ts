import type { OwnerReaders } from '@gateway/inventory';
import type { LeftoverRemoval } from '@gateway/jobs';
import type { BoundClient, ProjectClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import type { StepContext } from '../../saga/index.ts';

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
