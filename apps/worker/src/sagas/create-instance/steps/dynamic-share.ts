import { instanceProgress } from '@gateway/jobs';
import { dynamicShareMetadata, resolveLibraries } from '@gateway/libraries';
import { need } from '../../need.ts';
import { awaitShare } from '../../resources/await-ready.ts';
import { findShares } from '../../resources/find-made.ts';
import { removeShare } from '../../resources/removal.ts';
import { shareFacts } from '../../resources/share-facts.ts';
import { patience, waiting } from '../../waiting.ts';
import { defineCreateStep, nameFor } from '../saga.ts';

/** The instance's own share: it fills it at first boot and reads from it ever after. */
export const createDynamicShare = defineCreateStep<{ dynamicShareId: string }>({
  name: 'dynamic-share',
  beginUpdate: {
    step: 'FILESHARE_PREPARING',
    progress: instanceProgress.FILESHARE_PREPARING,
    message: 'A share for the libraries is being made.',
  },
  when: (context) => need(context, 'plan').strategy === 'dynamic',
  async run(context) {
    const { fileStorage, instances, libraries } = context.config;
    const { libraryIds } = need(context, 'plan');
    const share = await context.owner().sharedFileSystem.shares.create({
      ...shareFacts(fileStorage, fileStorage.shareProto),
      name: nameFor(context, 'share'),
      size: instances.dynamicShareSizeGb,
      metadata: dynamicShareMetadata(context.jobId, resolveLibraries(libraries, libraryIds)),
    });
    return { dynamicShareId: share.id };
  },
  async find(context) {
    const name = nameFor(context, 'share');
    const shares = await findShares(context.remover(), name, context, 'overlay_instance');
    return shares.map(({ id }) => ({ dynamicShareId: id }));
  },
  async settle(context, { dynamicShareId }) {
    const wait = waiting(context, 'The share', context.config.timeLimits.shareSeconds);
    await awaitShare(context.owner(), dynamicShareId, wait);
    return undefined;
  },
  undo: (context, { dynamicShareId }) =>
    removeShare(context, dynamicShareId, patience(context, context.config.timeLimits.shareSeconds)),
  leftover: ({ dynamicShareId }) => ({ type: 'share', id: dynamicShareId }),
});
