import { dynamicShareMetadata, resolveLibraries, shareDefaults } from '@gateway/libraries';
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
    const { fileStorage, instances, libraries } = context.config;
    const resolved = resolveLibraries(libraries, requireState(context, 'plan').libraryIds);
    return {
      ...shareDefaults(fileStorage, fileStorage.shareProto),
      name: nameFor(context, 'share'),
      size: instances.dynamicShareSizeGb,
      metadata: dynamicShareMetadata(context.jobId, resolved),
    };
  },
});
