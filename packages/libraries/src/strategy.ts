import type { LibraryDefinition } from '@gateway/config';
import { invalidInput } from '@gateway/core';

/** Where an instance's libraries come from: shares an administrator built, or a share of its own. */
export type OverlayStrategy = 'prebuilt' | 'dynamic';

/**
 * The strategy for libraries that are already completed with their dependencies. Left to the gateway, it is
 * `prebuilt` when every one of them has a prebuilt share.
 *
 * @param prebuilt the libraries that have one, by id
 * @throws 400 when `prebuilt` is asked for and a library has none
 */
export function chooseStrategy(
  requested: OverlayStrategy | undefined,
  libraries: readonly LibraryDefinition[],
  prebuilt: ReadonlyMap<string, unknown>,
): OverlayStrategy {
  if (requested === 'dynamic') return 'dynamic';
  const missing = libraries.filter(({ id }) => !prebuilt.has(id)).map(({ id }) => id);
  if (missing.length === 0) return 'prebuilt';
  if (requested === undefined) return 'dynamic';
  throw invalidInput(`No prebuilt file storage is available for: ${missing.join(', ')}.`, {
    errors: missing.map((id) => ({
      field: 'body.strategy',
      message: `Library "${id}" has no prebuilt file storage.`,
    })),
  });
}
