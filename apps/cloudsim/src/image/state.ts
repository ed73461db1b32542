export interface Image {
  id: string;
  name: string | null;
  status: string;
  visibility: string;
  ownerId: string;
  /** Null until data is uploaded, like the checksum. */
  sizeBytes: number | null;
  minDiskGb: number;
  minRamMb: number;
  diskFormat: string | null;
  containerFormat: string | null;
  checksum: string | null;
  createdMs: number;
  /** Custom properties, such as `os_distro`. */
  properties: Record<string, string>;
  tags: string[];
}

export interface ImageState {
  images: Map<string, Image>;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const imageKinds = { images: 'images' } as const;

export function emptyImages(): ImageState {
  return { images: new Map() };
}
