import { JOB_METADATA_KEY } from '@gateway/core';
import { findVolumes, removeVolume } from '@gateway/inventory';
import type { BoundClient, VolumeCreate, VolumeRecord, WaitOptions } from '@gateway/openstack';
import type { Step, StepContext } from '../../saga/index.ts';
import { type ResourceContext, resultUnder, type StateKeyOf, valueUnder } from './resource-step.ts';
import { parkingLater, removalOptions, waitOptions } from './wait-options.ts';

interface VolumeStep<Context, State extends object>
  extends Pick<Step<Context, State>, 'name' | 'beginUpdate' | 'when' | 'resourceId'> {
  /** The key of the state for the volume's id. */
  key: StateKeyOf<State, string>;
  /** The volume at the start of a sentence, such as "The boot volume". */
  title: string;
  /** The job's mark is added to the metadata. */
  request(context: StepContext<Context, State>): VolumeCreate & { name: string };
  /** Distinguishes volumes of one job with the same name. */
  matches?(volume: VolumeRecord): boolean;
  /** A later step waits for the volume. */
  awaitsLater?: boolean;
  /** The volume may take long to be filled: a long wait parks the job, and has a time limit of its own. */
  isCopied?: boolean;
}

/** Creates a volume and waits until it is available; the rollback deletes it. */
export function volumeStep<Context extends ResourceContext, State extends object>(
  spec: VolumeStep<Context, State>,
): Step<Context, State> {
  const { key, title, request, matches = () => true, awaitsLater = false, isCopied = false, ...step } = spec;
  const idIn = (result: Partial<State>) => valueUnder<State, string>(result, key);
  return {
    ...step,
    async run(context) {
      const { metadata, ...volume } = request(context);
      const { blockStorage } = await context.resourceOwner.client();
      const { id } = await blockStorage.volumes.create({
        ...volume,
        metadata: { ...metadata, [JOB_METADATA_KEY]: context.jobId },
      });
      return resultUnder(key, id);
    },
    async find(context) {
      const { name } = request(context);
      const rights = await context.resourceOwner.removal();
      const volumes = await findVolumes(rights.remover(), name, await context.resourceOwner.mark());
      return volumes.filter(matches).map(({ id }) => resultUnder(key, id));
    },
    async settle(context, result) {
      if (awaitsLater) return undefined;
      const { volumeCopySeconds, volumeSeconds } = context.config.timeLimits;
      const wait = isCopied
        ? waitOptions(parkingLater(context), 'volume', { describe: title, seconds: volumeCopySeconds })
        : waitOptions(context, 'volume', { describe: title, seconds: volumeSeconds });
      await awaitVolume(await context.resourceOwner.client(), idIn(result), wait);
      return undefined;
    },
    async undo(context, result) {
      const { volumeCopySeconds, volumeSeconds } = context.config.timeLimits;
      const creationSeconds = isCopied ? volumeCopySeconds : volumeSeconds;
      const wait = removalOptions(context, 'volume', volumeSeconds, creationSeconds);
      await removeVolume(await context.resourceOwner.removal(), idIn(result), wait);
    },
    leftover: (result) => ({ type: 'volume', id: idIn(result) }),
  };
}

export async function awaitVolume({ polls }: BoundClient, id: string, wait: WaitOptions): Promise<void> {
  await polls.waitForStatus('volume', id, {
    ...wait,
    // In use by a server that an earlier run has created from the volume.
    targetStates: ['available', 'in-use'],
    failedStates: ['error', 'error_deleting', 'error_managing', 'error_restoring'],
  });
}
