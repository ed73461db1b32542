import type { LibraryDefinition } from '@gateway/config';
import { conflict } from '@gateway/core';
import type { BuildLibraryContext } from './saga.ts';

/**
 * The library's definition in the catalogue.
 *
 * @throws 409 when this worker's catalogue differs from that of the api which accepted the request
 */
export function definitionOf({ config, input }: BuildLibraryContext): LibraryDefinition {
  const definition = config.libraries.find(({ id }) => id === input.libraryId);
  if (definition?.version !== input.version) {
    throw conflict(
      `The catalogue has changed: version ${input.version} of ${input.libraryId} is not in it any more.`,
    );
  }
  return definition;
}
