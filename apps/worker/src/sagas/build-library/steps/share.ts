import { buildProgress } from '@gateway/jobs';
import { prebuiltShareMetadata } from '@gateway/libraries';
import { JOB_METADATA_KEY } from '@gateway/views';
import { need } from '../../need.ts';
import { awaitShare } from '../../resources/await-ready.ts';
import { findShares } from '../../resources/find-made.ts';
import { removeShare } from '../../resources/removal.ts';
import { shareFacts } from '../../resources/share-facts.ts';
import { patience, waiting } from '../../waiting.ts';
import { definitionOf } from '../definition.ts';
import { announce, type BuildLibraryContext, defineBuildStep, makerOf, removalRights } from '../saga.ts';

export const createShare = defineBuildStep<{ shareId: string }>({
  name: 'share',
  beginUpdate: announce('SHARE_CREATING', buildProgress.SHARE_CREATING, 'The share is being made.'),
  // Whoever asked for the build is told of the share as soon as it has an id.
  madeUpdate: announce('SHARE_CREATING', buildProgress.SHARE_CREATING, 'The share is being made ready.'),
  async run(context) {
    const { config, jobId } = context;
    const library = definitionOf(context);
    const service = await context.service();
    const share = await service.sharedFileSystem.shares.create({
      ...shareFacts(config.fileStorage, need(context, 'plan').protocol),
      name: shareName(context),
      size: library.sizeGb,
      metadata: { ...prebuiltShareMetadata(library, 'building'), [JOB_METADATA_KEY]: jobId },
    });
    return { shareId: share.id };
  },
  async find(context) {
    const shares = await findShares(await context.service(), shareName(context), await makerOf(context));
    return shares.map(({ id }) => ({ shareId: id }));
  },
  resourceId: ({ shareId }) => shareId,
  async settle(context, { shareId }) {
    const wait = waiting(context, 'The share', context.config.timeLimits.shareSeconds);
    await awaitShare(await context.service(), shareId, wait);
    return undefined;
  },
  async undo(context, { shareId }) {
    const { shareSeconds } = context.config.timeLimits;
    await removeShare(await removalRights(context), shareId, patience(context, shareSeconds));
  },
  leftover: ({ shareId }) => ({ type: 'share', id: shareId }),
});

/** For the people who look after shares; which job made it is in its metadata. */
function shareName({ input: { libraryId, version } }: BuildLibraryContext): string {
  const LONGEST = 255;
  return `library-${libraryId}-${version}`.slice(0, LONGEST);
}
