import type { LibraryDefinition } from '@gateway/config';
import type { ShareRecord } from '@gateway/libraries';

/** A library of the catalogue that needs nothing and runs anywhere. */
export function library(id: string, facts: Partial<LibraryDefinition> = {}): LibraryDefinition {
  return {
    id,
    name: id,
    version: '1.0',
    packages: [],
    dependsOn: [],
    osVersions: [],
    pythonVersion: null,
    sizeGb: 20,
    build: { image: null, flavor: null, network: null, commands: [] },
    ...facts,
  };
}

/** A prebuilt share that serves. */
export function prebuiltShare(libraryId: string, facts: Partial<ShareRecord> = {}): ShareRecord {
  return {
    id: `share-${libraryId}`,
    status: 'available',
    share_proto: 'NFS',
    created_at: '2026-01-01T00:00:00.000000',
    ...facts,
    metadata: {
      overlay_type: 'prebuilt',
      overlay_library: libraryId,
      overlay_version: '1.0',
      overlay_status: 'ready',
      ...facts.metadata,
    },
  };
}
