import type { LibraryDefinition } from '@gateway/config';

/** How far the build of a prebuilt share has come. */
export type BuildStatus = 'building' | 'ready' | 'error' | 'timeout';

const reservedPrefix = 'overlay_';

/** The longest value that the shared file system service takes. */
const maxValueLength = 1023;

/** @param builtAt an ISO timestamp; null until the build has ended well */
export function prebuiltShareMetadata(
  library: LibraryDefinition,
  status: BuildStatus,
  builtAt: string | null = null,
): Record<string, string> {
  return {
    overlay_type: 'prebuilt',
    overlay_library: library.id,
    overlay_version: library.version,
    overlay_status: status,
    ...(builtAt === null ? {} : { overlay_built_at: builtAt }),
  };
}

/**
 * @param instance id of the instance that the share is dedicated to, or of the job that makes it
 * @param libraries those installed on it, for people to read: a list too long is cut after a whole id, since
 * the server's metadata is the record
 */
export function dynamicShareMetadata(
  instance: string,
  libraries: readonly LibraryDefinition[],
): Record<string, string> {
  let list = '';
  for (const { id } of libraries) {
    const longer = list === '' ? id : `${list},${id}`;
    if (longer.length > maxValueLength) break;
    list = longer;
  }
  return { overlay_type: 'dynamic', overlay_instance: instance, overlay_libraries: list };
}

/** The keys of a client's metadata that only the gateway may set. */
export function reservedKeys(metadata: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(metadata).filter((key) => key.startsWith(reservedPrefix));
}
