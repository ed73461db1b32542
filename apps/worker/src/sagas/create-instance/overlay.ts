import type { LibraryDefinition } from '@gateway/config';
import { chooseStrategy, findPrebuiltShares, resolveLibraries } from '@gateway/libraries';
import type { ShareRecord } from '@gateway/openstack';
import type { CreateStepContext, CreationPlan, PlannedShare } from './saga.ts';
import { fromServiceProtocol } from './shares.ts';

type OverlayPlan = Pick<CreationPlan, 'libraryIds' | 'strategy' | 'prebuiltShares'>;

const PLAIN: OverlayPlan = { libraryIds: [], strategy: null, prebuiltShares: [] };

/** Which libraries, and where they come from. */
export async function planOverlay(context: CreateStepContext): Promise<OverlayPlan> {
  const { input, config } = context;
  if (input.libraryIds.length === 0) return PLAIN;
  const libraries = resolveLibraries(config.libraries, input.libraryIds);
  const libraryIds = libraries.map(({ id }) => id);
  if (input.strategy === 'dynamic') return { ...PLAIN, libraryIds, strategy: 'dynamic' };
  const prebuilt = findPrebuiltShares(await administratorsShares(context), libraries);
  const strategy = chooseStrategy(input.strategy ?? undefined, libraries, prebuilt);
  const prebuiltShares = strategy === 'prebuilt' ? plannedShares(libraries, prebuilt) : [];
  return { libraryIds, strategy, prebuiltShares };
}

/**
 * The shares that may be believed to be an administrator's: those of the gateway's own project, and public
 * ones, which only administrators can make. Metadata alone would prove nothing, since anybody can write it on
 * a share of his own.
 */
async function administratorsShares(context: CreateStepContext): Promise<ShareRecord[]> {
  const service = await context.service();
  if (service === null) return [];
  const shares = await service.sharedFileSystem.shares.list({ is_public: true });
  return shares.filter(({ share_proto }) => fromServiceProtocol(share_proto) !== null);
}

function plannedShares(
  libraries: readonly LibraryDefinition[],
  prebuilt: ReadonlyMap<string, ShareRecord>,
): PlannedShare[] {
  return libraries.flatMap((library) => {
    const share = prebuilt.get(library.id);
    const protocol = share === undefined ? null : fromServiceProtocol(share.share_proto);
    return share === undefined || protocol === null
      ? []
      : [{ id: share.id, libraryId: library.id, protocol }];
  });
}
