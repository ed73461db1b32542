import {
  chooseStrategy,
  fromServiceProtocol,
  type PrebuiltShares,
  readPrebuiltShares,
  resolveLibraries,
} from '@gateway/libraries';
import type { ShareRecord } from '@gateway/openstack';
import type { LibraryDefinition } from '@gateway/platform';
import { shareFields } from '@gateway/resources';
import type { CreateStepContext, CreationPlan, PlannedShare } from './saga.ts';

type OverlayPlan = Pick<CreationPlan, 'libraryIds' | 'strategy' | 'dynamicShare' | 'prebuiltShares'>;

/** The plan of an instance's libraries, with what is necessary to check that they are compatible. */
interface PlannedOverlay {
  overlay: OverlayPlan;
  libraries: LibraryDefinition[];
  /** The shares of the strategy `prebuilt`, by library id. */
  prebuilt: PrebuiltShares;
}

/**
 * The libraries of the instance and the shares that they come from.
 *
 * @throws 400 if a library is unknown or lacks a prebuilt share that was requested
 */
export async function planOverlay(context: CreateStepContext): Promise<PlannedOverlay> {
  const { input, config } = context;
  const libraries = resolveLibraries(config.libraries, input.libraryIds);
  const found = await prebuiltShares(context, libraries);
  const strategy =
    libraries.length === 0 ? null : chooseStrategy(input.strategy ?? undefined, libraries, found);
  const prebuilt = strategy === 'prebuilt' ? found : new Map<string, ShareRecord>();
  return {
    overlay: {
      libraryIds: libraries.map(({ id }) => id),
      strategy,
      dynamicShare: strategy === 'dynamic' ? await ownShare(context) : null,
      prebuiltShares: plannedShares(libraries, prebuilt),
    },
    libraries,
    prebuilt,
  };
}

async function prebuiltShares(
  context: CreateStepContext,
  libraries: readonly LibraryDefinition[],
): Promise<Map<string, ShareRecord>> {
  if (libraries.length === 0 || context.input.strategy === 'dynamic') return new Map();
  const service = await context.service();
  return service === null ? new Map() : await readPrebuiltShares(service.sharedFileSystem.shares, libraries);
}

function ownShare({ config: { fileStorage }, owner }: CreateStepContext) {
  return shareFields(owner(), fileStorage, { protocol: fileStorage.shareProto });
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
