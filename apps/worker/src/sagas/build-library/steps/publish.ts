import { toTimestamp } from '@gateway/core';
import { findShares } from '@gateway/inventory';
import { packageMetadata, prebuiltShareMetadata, reportedPackages } from '@gateway/libraries';
import { requireState } from '../../../saga/index.ts';
import { definitionOf } from '../../library-machines/definition.ts';
import { announce, type BuildStepContext, type BuiltLibrary, defineBuildStep } from '../saga.ts';
import { shareName } from './share.ts';

/** New instances use the share from here on, so it is no longer rolled back. */
export const publishShare = defineBuildStep<Record<never, never>>({
  name: 'publish',
  beginUpdate: announce('SHARE_PUBLISHING', 'The share is being made available.'),
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    const service = await context.service();
    const builtAt = toTimestamp(Date.now());
    const { checksum, packages } = builtLibrary(context);
    await service.sharedFileSystem.shares.setMetadata(requireState(context, 'shareId'), {
      ...prebuiltShareMetadata(definitionOf(context), 'ready', builtAt),
      overlay_checksum: checksum,
      ...packageMetadata(reportedPackages(packages)),
    });
    return {};
  },
  async find(context) {
    // By its mark: a journal that is behind does not have the share.
    const mark = await context.resourceOwner.mark();
    const shares = await findShares(await context.service(), shareName(context), mark);
    return shares.some(({ metadata }) => metadata?.overlay_status === 'ready') ? [{}] : [];
  },
});

function builtLibrary(context: BuildStepContext): BuiltLibrary {
  const built = requireState(context, 'built');
  if (built === null) throw new Error('The share was published before its builder had reported.');
  return built;
}
