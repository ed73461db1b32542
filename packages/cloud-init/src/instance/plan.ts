import type { InterpreterArchive } from '@gateway/platform';
import type { LayerShare } from '../layer-share.ts';
import type { CallbackTarget } from '../plan-callback.ts';

/** The work of a new instance's first boot. */
export interface FirstBootPlan {
  /** The server's name, which is converted to a valid host name. */
  hostname: string;
  /** The password hash of the image's default user, from `hashPassword`; null for no password. */
  passwordHash: string | null;
  /** Null if the flavor has no GPU. */
  gpu: GpuPlan | null;
  /** Null for a plain instance. */
  overlay: OverlayPlan | null;
  /** The user's own first-boot data; null for none. */
  userData: string | null;
}

export interface GpuPlan {
  /** System packages to install if the image has no driver. Empty if all images have a driver. */
  driverPackages: string[];
}

export interface OverlayPlan {
  upperVolumeId: string;
  /** The device to use if no disk has the upper volume's id as its serial. */
  upperDevice: '/dev/vdb';
  strategy: 'prebuilt' | 'dynamic';
  /** pip constraints of the packages to install. */
  constraints: string[];
  /** One or more, in the order of their dependencies. The last layer is on top. */
  layers: Layer[];
  /** The target of the reports of all boots; null if the gateway has no public URL. */
  report: CallbackTarget | null;
}

export interface Layer {
  libraryIds: string[];
  /** The pip requirements to install into a layer that is not read-only. */
  packages: string[];
  /**
   * The interpreter to install into a layer that is not read-only, for each architecture. If empty, the
   * packages are installed with the image's pip.
   */
  interpreters: InterpreterArchive[];
  share: LayerShare;
  /**
   * False if the first boot mounts the layer writable and installs the packages. Afterwards
   * the layer is read-only.
   */
  readOnly: boolean;
}
