import type { ShareRecord } from '@gateway/libraries';
import type { LibraryDefinition } from '@gateway/platform';

/** A library definition without dependencies and restrictions. */
export function library(id: string, attributes: Partial<LibraryDefinition> = {}): LibraryDefinition {
  return {
    id,
    name: id,
    version: '1.0',
    packages: [],
    dependsOn: [],
    osVersions: [],
    pythonVersion: null,
    interpreter: false,
    sizeGb: 20,
    build: { image: null, flavor: null, network: null, commands: [] },
    ...attributes,
  };
}

/** A prebuilt share that can be used. */
export function prebuiltShare(libraryId: string, attributes: Partial<ShareRecord> = {}): ShareRecord {
  return {
    id: `share-${libraryId}`,
    status: 'available',
    share_proto: 'NFS',
    created_at: '2026-01-01T00:00:00.000000',
    ...attributes,
    metadata: {
      overlay_type: 'prebuilt',
      overlay_library: libraryId,
      overlay_version: '1.0',
      overlay_status: 'ready',
      ...attributes.metadata,
    },
  };
}
