import type { LibraryDefinition } from '@gateway/platform';

/** The state of the build of a prebuilt share. */
export type BuildStatus = 'building' | 'ready' | 'error' | 'timeout';

/** Prefixes of the keys for a share's library and for its job. */
const RESERVED_PREFIXES = ['overlay_', 'gateway_'];

/** Limit of the shared file system service, in characters. */
const MAX_VALUE_LENGTH = 1023;

/**
 * @param builtAt an ISO timestamp; null before the build has succeeded
 */
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
 * @param instance id of the share's instance, or of the job that creates it
 * @param libraries the libraries on the share. The list is for administrators and may be truncated after a
 * whole id; the server's metadata contains the complete list
 */
export function dynamicShareMetadata(
  instance: string,
  libraries: readonly LibraryDefinition[],
): Record<string, string> {
  let list = '';
  for (const { id } of libraries) {
    const longer = list === '' ? id : `${list},${id}`;
    if (longer.length > MAX_VALUE_LENGTH) break;
    list = longer;
  }
  return { overlay_type: 'dynamic', overlay_instance: instance, overlay_libraries: list };
}

/** The keys of a client's metadata that only the gateway may set. */
export function reservedKeys(metadata: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(metadata).filter((key) => RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix)));
}
