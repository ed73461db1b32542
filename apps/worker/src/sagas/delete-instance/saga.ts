import type { Config } from '@gateway/config';
import type { Leftover } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import { defineStep, type StepContext } from '@gateway/saga';
import type { Logger } from '@gateway/telemetry';

export interface DeleteInstanceContext {
  instanceId: string;
  config: Config;
  logger: Logger;
  owner(): BoundClient;
  /** For removing what the owner had the right to have removed, by whatever right still works. */
  remover(): BoundClient;
  /** Null when the gateway has no user of its own. */
  service(): Promise<BoundClient | null>;
}

/**
 * All that goes with the instance, looked up while it still tells: what it names itself, and what bears the mark of the
 * job that made it.
 */
export interface Belongings {
  /** Other servers that the same job has made. Absent in a journal that does not know of them. */
  twinIds?: string[];
  /** The boot and the upper volume, not those attached later. */
  volumeIds: string[];
  floatingIpIds: string[];
  /** Ports that were made for the instance; the compute service removes only its own. */
  portIds: string[];
  /** Access rules of this instance on shares that stay. */
  accessRules: { shareId: string; ruleId: string }[];
  dynamicShareIds: string[];
}

export interface DeleteInstanceState {
  belongings: Belongings;
  leftovers: Leftover[];
}

export type DeleteStepContext = StepContext<DeleteInstanceContext, DeleteInstanceState>;

export const defineDeleteStep = defineStep<DeleteInstanceContext, DeleteInstanceState>();

export function belongingsOf({ state }: DeleteStepContext): Belongings {
  if (state.belongings === undefined) throw new Error('The belongings were not looked up yet.');
  return state.belongings;
}
