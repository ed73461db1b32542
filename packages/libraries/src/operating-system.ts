import type { LibraryDefinition } from '@gateway/platform';

/** The properties of an image that identify its operating system. Empty if the image does not have them. */
interface ImageSystem {
  os_distro: string;
  os_version: string;
}

/**
 * The operating system in the catalogue's form, such as `ubuntu-22.04`; undefined if the
 * image does not specify it.
 */
export function osVersionOf({ os_distro, os_version }: ImageSystem): string | undefined {
  return os_distro === '' || os_version === '' ? undefined : `${os_distro}-${os_version}`;
}

/** The libraries that do not support the operating system, each with a sentence for users. */
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
