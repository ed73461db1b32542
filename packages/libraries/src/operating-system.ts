import type { LibraryDefinition } from '@gateway/config';

/** What an image tells of its system. */
export interface ImageFacts {
  os_distro?: string;
  os_version?: string;
}

/** As the catalogue names systems, `ubuntu-22.04`; undefined for an image that does not tell. */
export function osVersionOf({ os_distro, os_version }: ImageFacts): string | undefined {
  return os_distro === undefined || os_version === undefined ? undefined : `${os_distro}-${os_version}`;
}

/** The libraries that do not run on such a system, each with a sentence for people. */
export function unsupportedLibraries(
  libraries: readonly LibraryDefinition[],
  osVersion: string,
): { id: string; message: string }[] {
  return libraries
    .filter(({ osVersions }) => osVersions.length > 0 && !osVersions.includes(osVersion))
    .map(({ id, osVersions }) => ({
      id,
      message: `${id} runs on ${osVersions.join(', ')}, not on ${osVersion}.`,
    }));
}
