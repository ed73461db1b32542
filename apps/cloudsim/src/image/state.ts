export interface Image {
  id: string;
  name: string;
  status: string;
  visibility: string;
  ownerId: string;
  sizeBytes: number;
  minDiskGb: number;
  minRamMb: number;
  diskFormat: string;
  containerFormat: string;
  checksum: string;
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
