import { invalidInput } from '@gateway/core';
import type { LibraryDefinition } from '@gateway/platform';

/**
 * The source of an instance's libraries: shares that an administrator built, or a share
 * of the instance itself.
 */
export type OverlayStrategy = 'prebuilt' | 'dynamic';

/**
 * The strategy for libraries, which must include their dependencies. Defaults to `prebuilt` if every library
 * has a prebuilt share, else to `dynamic`.
 *
 * @param prebuilt the prebuilt shares, by library id
 * @throws 400 if `prebuilt` is requested and a library has no prebuilt share
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
