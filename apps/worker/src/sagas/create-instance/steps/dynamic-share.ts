import { dynamicShareMetadata, resolveLibraries } from '@gateway/libraries';
import { requireState } from '../../../saga/index.ts';
import { shareStep } from '../../resources/share-step.ts';
import { announce, type CreateInstanceContext, type CreateInstanceState, nameFor } from '../saga.ts';

/** The instance's own share: the first boot fills it, and every boot mounts it. */
export const createDynamicShare = shareStep<CreateInstanceContext, CreateInstanceState>({
  name: 'dynamic-share',
  beginUpdate: announce('FILESHARE_PREPARING', 'A share for the libraries is being created.'),
  when: (context) => requireState(context, 'plan').strategy === 'dynamic',
  key: 'dynamicShareId',
  markKey: 'overlay_instance',
  request: (context) => {
    const { instances, libraries } = context.config;
    const { dynamicShare, libraryIds } = requireState(context, 'plan');
    if (dynamicShare === null) throw new Error('The plan has no share of its own');
    const resolved = resolveLibraries(libraries, libraryIds);
    return {
      ...dynamicShare,
      name: nameFor(context, 'share'),
      size: instances.dynamicShareSizeGb,
      metadata: dynamicShareMetadata(context.jobId, resolved),
    };
  },
});
