import type { LayerShare } from '../layer-share.ts';

/** What a new instance's first boot shall do. */
export interface FirstBootPlan {
  /** The server's name; made into a valid host name. */
  hostname: string;
  /** Of the image's default user, from `hashPassword`; null when no password is set. */
  passwordHash: string | null;
  /** Null where the flavor has no GPU. */
  gpu: GpuPlan | null;
  /** Null for a plain instance. */
  overlay: OverlayPlan | null;
}

export interface GpuPlan {
  /** Packages of the image's system, installed where there is no driver yet; none: the image brings its own. */
  driverPackages: string[];
}

export interface OverlayPlan {
  upperVolumeId: string;
  /** Where the upper volume is looked for when no disk has its id as serial. */
  upperDevice: '/dev/vdb';
  strategy: 'prebuilt' | 'dynamic';
  /** Dependencies first; the last is on top. At least one. */
  layers: Layer[];
}

export interface Layer {
  libraryIds: string[];
  /** What to install, as pip requirements; used when the layer is not read-only. */
  packages: string[];
  share: LayerShare;
  /** False: mounted writable once, for the packages to be installed, and read-only from then on. */
  readOnly: boolean;
}
