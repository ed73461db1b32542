import { conflict } from '@gateway/core';
import type { LibraryBuilding } from '@gateway/jobs';
import type { Config, LibraryDefinition } from '@gateway/platform';

interface LibraryJob {
  config: Pick<Config, 'libraries'>;
  input: LibraryBuilding;
}

/**
 * The library's definition in the catalogue.
 *
 * @throws 409 if this worker's catalogue does not contain the version that the api accepted
 */
export function definitionOf({ config, input }: LibraryJob): LibraryDefinition {
  const definition = config.libraries.find(({ id }) => id === input.libraryId);
  if (definition?.version !== input.version) {
    throw conflict(
      'changed_meanwhile',
      `The catalogue has changed: it no longer contains version ${input.version} of ${input.libraryId}.`,
    );
  }
  return definition;
}
