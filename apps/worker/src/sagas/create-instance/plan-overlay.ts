import type { LibraryDefinition } from '@gateway/config';
import { invalidInput } from '@gateway/core';
import {
  chooseStrategy,
  fromServiceProtocol,
  requireMatchingPackages,
  resolveLibraries,
  unsupportedLibraries,
} from '@gateway/libraries';
import type { ShareRecord } from '@gateway/openstack';
import { readPrebuiltShares } from '@gateway/views';
import type { CreateStepContext, CreationPlan, PlannedShare } from './saga.ts';

type OverlayPlan = Pick<CreationPlan, 'libraryIds' | 'strategy' | 'prebuiltShares'>;

const PLAIN: OverlayPlan = { libraryIds: [], strategy: null, prebuiltShares: [] };

/**
 * The libraries of the instance and the shares that they come from.
 *
 * @throws 400 if a library is unknown, lacks a prebuilt share that was requested, or the prebuilt shares do
 * not match
 */
export async function planOverlay(context: CreateStepContext): Promise<OverlayPlan> {
  const { input, config } = context;
  if (input.libraryIds.length === 0) return PLAIN;
  const libraries = resolveLibraries(config.libraries, input.libraryIds);
  const libraryIds = libraries.map(({ id }) => id);
  if (input.strategy === 'dynamic') return { ...PLAIN, libraryIds, strategy: 'dynamic' };
  const service = await context.service();
  const prebuilt =
    service === null ? new Map<string, ShareRecord>() : await readPrebuiltShares(service, libraries);
  const strategy = chooseStrategy(input.strategy ?? undefined, libraries, prebuilt);
  if (strategy === 'dynamic') return { ...PLAIN, libraryIds, strategy };
  requireMatchingPackages(libraries, prebuilt);
  return { libraryIds, strategy, prebuiltShares: plannedShares(libraries, prebuilt) };
}

/** @throws 400 naming the libraries that do not support the image's operating system */
export function checkSystem(
  { config }: CreateStepContext,
  libraryIds: string[],
  osVersion: string | undefined,
): void {
  if (osVersion === undefined) return;
  const unsuited = unsupportedLibraries(resolveLibraries(config.libraries, libraryIds), osVersion);
  if (unsuited.length === 0) return;
  throw invalidInput(
    `The image does not suit the libraries: ${unsuited.map(({ message }) => message).join(' ')}`,
    {
      errors: unsuited.map(({ message }) => ({ field: 'body.libraries', message })),
    },
  );
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
