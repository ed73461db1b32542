import type { OverlayStrategy } from './strategy.ts';

/** What a server's metadata tells of its layers. A plain instance has none of it. */
export interface OverlayFacts {
  /** Dependencies first. */
  libraries: string[];
  strategy: OverlayStrategy | null;
  /** In the order of the layers, the lowest first. */
  shareIds: string[];
  upperVolumeId: string | null;
}

/** The longest value that the compute service takes. */
const maxValueLength = 255;

/**
 * The server metadata that records the layers. A list longer than one value may be goes on in further keys,
 * parted between items: `overlay_share_ids`, `overlay_share_ids_2`, `overlay_share_ids_3`.
 */
export function overlayMetadata(facts: OverlayFacts): Record<string, string> {
  return {
    ...listValues('overlay_libraries', facts.libraries),
    ...(facts.strategy === null ? {} : { overlay_strategy: facts.strategy }),
    ...listValues('overlay_share_ids', facts.shareIds),
    ...(facts.upperVolumeId === null ? {} : { overlay_upper_volume_id: facts.upperVolumeId }),
  };
}

/** The layers of a server, from its metadata; whatever else stands there is passed over. */
export function parseOverlayMetadata(metadata: Readonly<Record<string, string>>): OverlayFacts {
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
    if (item.includes(',') || item.length > maxValueLength) {
      throw new Error(`${JSON.stringify(item)} can not be an item of the metadata list ${key}.`);
    }
    const last = values.at(-1);
    if (last !== undefined && last.length + 1 + item.length <= maxValueLength) {
      values[values.length - 1] = `${last},${item}`;
    } else {
      values.push(item);
    }
  }
  return Object.fromEntries(values.map((value, index) => [keyOf(key, index), value]));
}

function readList(metadata: Readonly<Record<string, string>>, key: string): string[] {
  const items: string[] = [];
  for (let index = 0; ; index++) {
    const value = metadata[keyOf(key, index)];
    if (value === undefined) return items;
    items.push(...value.split(',').filter((item) => item !== ''));
  }
}

function keyOf(key: string, index: number): string {
  return index === 0 ? key : `${key}_${index + 1}`;
}
