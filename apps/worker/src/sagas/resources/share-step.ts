import { findShares, removeShare } from '@gateway/inventory';
import type { BoundClient, ShareCreate, WaitOptions } from '@gateway/openstack';
import type { Step, StepContext } from '../../saga/index.ts';
import { type ResourceContext, resultUnder, type StateKeyOf, valueUnder } from './resource-step.ts';
import { removalOptions, waitOptions } from './wait-options.ts';

interface ShareStep<Context, State extends object>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'appliedUpdate' | 'when' | 'resourceId'> {
  /** The key of the state for the share's id. */
  key: StateKeyOf<State, string>;
  /** The key of the share's metadata that holds the job's id; the request sets it. */
  markKey: string;
  request(context: StepContext<Context, State>): ShareCreate & { name: string };
}

/** Creates a share and waits until it is available; the rollback deletes it. */
export function shareStep<Context extends ResourceContext, State extends object>(
  spec: ShareStep<Context, State>,
): Step<Context, State> {
  const { key, markKey, request, ...step } = spec;
  const idIn = (result: Partial<State>) => valueUnder<State, string>(result, key);
  return {
    ...step,
    async run(context) {
      const { sharedFileSystem } = await context.resourceOwner.client();
      const { id } = await sharedFileSystem.shares.create(request(context));
      return resultUnder(key, id);
    },
    async find(context) {
      const { name } = request(context);
      const rights = await context.resourceOwner.removal();
      const shares = await findShares(rights.remover(), name, await context.resourceOwner.mark(), markKey);
      return shares.map(({ id }) => resultUnder(key, id));
    },
    async settle(context, result) {
      const wait = waitOptions(context, 'share', {
        describe: 'The share',
        seconds: context.config.timeLimits.shareSeconds,
      });
      await awaitShare(await context.resourceOwner.client(), idIn(result), wait);
      return undefined;
    },
    async undo(context, result) {
      const wait = removalOptions(context, 'share', context.config.timeLimits.shareSeconds);
      await removeShare(await context.resourceOwner.removal(), idIn(result), wait);
    },
    leftover: (result) => ({ type: 'share', id: idIn(result) }),
  };
}

async function awaitShare({ polls }: BoundClient, id: string, wait: WaitOptions): Promise<void> {
  await polls.waitForStatus('share', id, {
    ...wait,
    targetStates: ['available'],
    failedStates: ['error', 'error_deleting'],
  });
}
