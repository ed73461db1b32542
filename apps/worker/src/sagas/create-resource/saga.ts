import { resourceProgress } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import type { Config, Logger } from '@gateway/platform';
import { announcer, requireState, type Step, type StepContext } from '../../saga/index.ts';
import type { ResourceContext } from '../resources/resource-step.ts';

/** The input and dependencies of the steps of a job that creates one resource of a user. */
export interface CreateResourceContext<Input> extends ResourceContext {
  projectId: string;
  input: Input;
  config: Config;
  logger: Logger;
  /** The cloud with the rights of the job's owner. */
  owner(): BoundClient;
  /** The same with the token of the request, for what a service refuses to a delegation. */
  undelegatedOwner(): BoundClient;
}

/** The results of the steps. `Request` is what the service gets; it contains no secrets. */
export interface CreateResourceState<Request> {
  request: Request;
  resourceId: string;
}

export type CreationStep<Input, Request> = Step<CreateResourceContext<Input>, CreateResourceState<Request>>;

type CreationContext<Input, Request> = StepContext<
  CreateResourceContext<Input>,
  CreateResourceState<Request>
>;

export const announce = announcer(resourceProgress);

/** The first step: checks the input and the quotas before anything is created, and prepares the request. */
export function planStep<Input, Request>(
  plan: (context: CreationContext<Input, Request>) => Promise<Request>,
): CreationStep<Input, Request> {
  return {
    name: 'plan',
    beginUpdate: announce('CHECKING', 'The request is being checked.'),
    run: async (context) => ({ request: await plan(context) }),
  };
}

/** What all steps that create the resource have in common. */
export const creation = {
  name: 'create',
  key: 'resourceId',
  resourceId: ({ resourceId = '' }: { resourceId?: string }) => resourceId,
} as const;

/** The same for a step that creates it in one call, from the planned request. */
export function plannedCreation<Input, Request>(message: string) {
  return {
    ...creation,
    beginUpdate: announce('CREATING', message),
    request: (context: CreationContext<Input, Request>) => requireState(context, 'request'),
  } as const;
}
