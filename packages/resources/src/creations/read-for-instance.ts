import type { FoundAtRequest, FoundForInstance, InstanceCreation } from '@gateway/jobs';
import type { CreationContext } from './creation-context.ts';
import { findForInstance } from './find-for-instance.ts';
import { planInstanceNetwork } from './plan-instance-network.ts';
import { planZones } from './plan-zones.ts';

/** How long a job relies on what its request has found. Usually it starts within milliseconds. */
const FOUND_FOR_MS = 10_000;

/**
 * What the request of a job has just found and checked. What is removed or used in between is refused by its
 * service, and what was created until then is rolled back.
 */
export function foundAtRequest({ found }: InstanceCreation): FoundAtRequest | undefined {
  return found !== undefined && Math.abs(Date.now() - found.at) < FOUND_FOR_MS ? found : undefined;
}

/** Reads and checks what a creation names. */
export async function readForInstance(context: CreationContext<InstanceCreation>): Promise<FoundForInstance> {
  const parts = await Promise.all([
    findForInstance(context),
    planInstanceNetwork(context),
    planZones(context),
  ]);
  return { ...parts[0], ...parts[1], ...parts[2] };
}
