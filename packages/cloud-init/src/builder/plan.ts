import type { LayerShare } from '../layer-share.ts';
import type { CallbackTarget } from '../plan-callback.ts';

/**
 * The work of a builder: a machine that installs one library into a new, empty share and reports the result.
 */
export interface BuilderPlan {
  /** The server's name, which is converted to a valid host name. */
  hostname: string;
  library: { id: string; version: string };
  /** From the catalogue. The builder compares it with the image's python3; null for any version. */
  pythonVersion: string | null;
  /** pip requirements. */
  packages: string[];
  /** pip constraints: the versions of the packages in the dependencies. */
  constraints: string[];
  /**
   * Shell scripts from the administrator's catalogue. They run as root before the packages are installed,
   * each with `bash -euo pipefail` and the folder of the share in GATEWAY_SHARE.
   */
  commands: string[];
  share: LayerShare;
  report: CallbackTarget;
  /** The machine stops its work after this time. */
  timeLimitSeconds: number;
}
