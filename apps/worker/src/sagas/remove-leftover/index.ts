import { againIfStale, inspectLeftover, isLeftoverType, requireLeftover } from '@gateway/inventory';
import { defineStep, type Step, type StepContext } from '../../saga/index.ts';
import { parking } from '../resources/wait-options.ts';
import { removeResource } from './remove-resource.ts';
import { announce, type RemoveLeftoverContext, type RemoveLeftoverState } from './saga.ts';

const defineRemovalStep = defineStep<RemoveLeftoverContext, RemoveLeftoverState>();

/**
 * Every run checks the resource right before its removal: the resource may have got an owner since the
 * request. If the resource is gone, for example because an earlier run died after its call, the run does
 * nothing.
 */
const remove = defineRemovalStep<{ isRemoved: boolean }>({
  name: 'remove',
  beginUpdate: announce('LEFTOVER_REMOVING', 'The resource is being removed.'),
  onRepeat: 'idempotent',
  async run(context) {
    await againIfStale(() => removeOnce(context));
    return { isRemoved: true };
  },
});

async function removeOnce(context: StepContext<RemoveLeftoverContext, RemoveLeftoverState>): Promise<void> {
  const { force, resourceId, resourceType } = context.input;
  if (!isLeftoverType(resourceType)) throw new Error(`Nothing removes a ${resourceType}.`);
  const { config, owner, owners } = context;
  const found = await inspectLeftover({ openstack: owner(), config, owners }, resourceType, resourceId);
  if (found === null) return;
  requireLeftover(found, force);
  await removeResource(parking(context), resourceType, found.resource);
}

/** The removal of one leftover for an administrator. */
export const removeLeftoverSteps: readonly Step<RemoveLeftoverContext, RemoveLeftoverState>[] = [remove];
