import { buildProgress } from '@gateway/jobs';
import { prebuiltShareMetadata } from '@gateway/libraries';
import { waitForStatus } from '@gateway/openstack';
import { need } from '../../need.ts';
import { removeShare } from '../../removal.ts';
import { shareFacts } from '../../share-facts.ts';
import { patience, waiting } from '../../waiting.ts';
import { definitionOf } from '../definition.ts';
import { announce, type BuildLibraryContext, defineBuildStep } from '../saga.ts';

export const createShare = defineBuildStep<{ shareId: string }>({
  name: 'share',
  announce: announce('SHARE_CREATING', buildProgress.SHARE_CREATING, 'The share is being made.'),
  // Whoever asked for the build is told of the share as soon as it has an id.
  made: announce('SHARE_CREATING', buildProgress.SHARE_CREATING, 'The share is being made ready.'),
  async run(context) {
    const { config, jobId } = context;
    const library = definitionOf(context);
    const service = await context.service();
    const share = await service.sharedFileSystem.shares.create({
      ...shareFacts(config.fileStorage, need(context, 'plan').protocol),
      name: shareName(context),
      size: library.sizeGb,
      metadata: { ...prebuiltShareMetadata(library, 'building'), gateway_job_id: jobId },
    });
    return { shareId: share.id };
  },
  async find(context) {
    const service = await context.service();
    const shares = await service.sharedFileSystem.shares.listByName(shareName(context));
    const share = shares.find(({ metadata }) => metadata.gateway_job_id === context.jobId);
    return share === undefined ? null : { shareId: share.id };
  },
  resourceId: ({ shareId }) => shareId,
  async settle(context, { shareId }) {
    const { shares } = (await context.service()).sharedFileSystem;
    await waitForStatus(
      () => shares.get(shareId),
      ({ status }) => status,
      {
        ...waiting(context, 'The share', context.config.timeLimits.shareSeconds),
        target: ['available'],
        failure: ['error', 'error_deleting'],
      },
    );
    return undefined;
  },
  async undo(context, { shareId }) {
    const service = await context.service();
    const rights = { remover: () => service, service: async () => service };
    await removeShare(rights, shareId, patience(context, context.config.timeLimits.shareSeconds));
  },
  leftover: ({ shareId }) => ({ type: 'share', id: shareId }),
});

/** For the people who look after shares; which job made it is in its metadata. */
function shareName({ input: { libraryId, version } }: BuildLibraryContext): string {
  const LONGEST = 255;
  return `library-${libraryId}-${version}`.slice(0, LONGEST);
}
