export interface Image {
  id: string;
  name: string | null;
  status: string;
  visibility: string;
  ownerId: string;
  /** Null until there is data, and so is the checksum. */
  sizeBytes: number | null;
  minDiskGb: number;
  minRamMb: number;
  diskFormat: string | null;
  containerFormat: string | null;
  checksum: string | null;
  createdMs: number;
  /** Free properties: `os_distro` and the like. */
  properties: Record<string, string>;
}

export interface ImageState {
  images: Map<string, Image>;
}

export function emptyImages(): ImageState {
  return { images: new Map() };
}
