import type { OverlayStrategy } from './strategy.ts';

/** The layers of a server, as its metadata records them. All empty for a plain instance. */
export interface OverlayAttributes {
  /** Dependencies first. */
  libraries: string[];
  strategy: OverlayStrategy | null;
  /** In the order of the layers, the lowest first. */
  shareIds: string[];
  upperVolumeId: string | null;
}

/** Limit of the compute service, in characters. */
const MAX_VALUE_LENGTH = 255;

/**
 * The server metadata that records the layers. A list that is too long for one value continues in further keys, split
 * between items: `overlay_share_ids`, `overlay_share_ids_2`, `overlay_share_ids_3`.
 */
export function overlayMetadata(attributes: OverlayAttributes): Record<string, string> {
  return {
    ...listValues('overlay_libraries', attributes.libraries),
    ...(attributes.strategy === null ? {} : { overlay_strategy: attributes.strategy }),
    ...listValues('overlay_share_ids', attributes.shareIds),
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

function listValues(key: string, items: readonly string[]): Record<string, string> {
  const values: string[] = [];
  for (const item of items) {
    if (item.includes(',') || item.length > MAX_VALUE_LENGTH) {
      throw new Error(`${JSON.stringify(item)} cannot be an item of the metadata list ${key}.`);
    }
    const last = values.at(-1);
    if (last !== undefined && last.length + 1 + item.length <= MAX_VALUE_LENGTH) {
      values[values.length - 1] = `${last},${item}`;
    } else {
      values.push(item);
    }
  }
  return Object.fromEntries(values.map((value, index) => [keyAt(key, index), value]));
}

function readList(metadata: Readonly<Record<string, string>>, key: string): string[] {
  const items: string[] = [];
  for (let index = 0; ; index++) {
    const value = metadata[keyAt(key, index)];
    if (value === undefined) return items;
    items.push(...value.split(',').filter((item) => item !== ''));
  }
}

function keyAt(key: string, index: number): string {
  return index === 0 ? key : `${key}_${index + 1}`;
}
