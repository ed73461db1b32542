import { readList, writeList } from './metadata-list.ts';
import type { OverlayStrategy } from './strategy.ts';

/** The layers of a server, as recorded in its metadata. All fields are empty for a plain instance. */
interface OverlayAttributes {
  /** Dependencies first. */
  libraries: string[];
  strategy: OverlayStrategy | null;
  /** In the order of the layers, from the lowest. */
  shareIds: string[];
  upperVolumeId: string | null;
}

/** Limit of the compute service, in characters. */
const MAX_VALUE_LENGTH = 255;

/** The server metadata that records the layers. */
export function overlayMetadata(attributes: OverlayAttributes): Record<string, string> {
  return {
    ...writeList('overlay_libraries', attributes.libraries, MAX_VALUE_LENGTH),
    ...(attributes.strategy === null ? {} : { overlay_strategy: attributes.strategy }),
    ...writeList('overlay_share_ids', attributes.shareIds, MAX_VALUE_LENGTH),
    ...(attributes.upperVolumeId === null ? {} : { overlay_upper_volume_id: attributes.upperVolumeId }),
  };
}

/** The layers of a server, from its metadata. Ignores all other keys. */
export function parseOverlayMetadata(metadata: Readonly<Record<string, string>>): OverlayAttributes {
  const strategy = metadata.overlay_strategy;
  return {
    libraries: readList(metadata, 'overlay_libraries'),
    strategy: strategy === 'prebuilt' || strategy === 'dynamic' ? strategy : null,
    shareIds: readList(metadata, 'overlay_share_ids'),
    upperVolumeId: metadata.overlay_upper_volume_id || null,
  };
}
