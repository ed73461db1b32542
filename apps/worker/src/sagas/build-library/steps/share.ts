import { cutText, JOB_METADATA_KEY } from '@gateway/core';
import { prebuiltShareMetadata } from '@gateway/libraries';
import { requireState } from '../../../saga/index.ts';
import { definitionOf } from '../../library-machines/definition.ts';
import { valueUnder } from '../../resources/resource-step.ts';
import { shareStep } from '../../resources/share-step.ts';
import { announce, type BuildLibraryContext, type BuildLibraryState } from '../saga.ts';

export const createShare = shareStep<BuildLibraryContext, BuildLibraryState>({
  name: 'share',
  beginUpdate: announce('SHARE_CREATING', 'The share is being created.'),
  // The api answers the request as soon as the share has an id.
  appliedUpdate: announce('SHARE_CREATING', 'The share is being prepared.'),
  key: 'shareId',
  markKey: JOB_METADATA_KEY,
  request: (context) => {
    const library = definitionOf(context);
    return {
      ...requireState(context, 'plan').share,
      name: shareName(context),
      size: library.sizeGb,
      metadata: { ...prebuiltShareMetadata(library, 'building'), [JOB_METADATA_KEY]: context.jobId },
    };
  },
  resourceId: (result) => valueUnder<BuildLibraryState, string>(result, 'shareId'),
});

const MAX_NAME_LENGTH = 255;

/** A readable name for administrators. The job's id is in the share's metadata. */
export function shareName({ input: { libraryId, version } }: BuildLibraryContext): string {
  return cutText(`library-${libraryId}-${version}`, MAX_NAME_LENGTH);
}
