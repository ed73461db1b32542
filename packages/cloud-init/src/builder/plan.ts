import type { InterpreterArchive } from '@gateway/platform';
import type { LayerShare } from '../layer-share.ts';
import type { CallbackTarget } from '../plan-callback.ts';

/**
 * The work of a builder: a machine that installs one library into a new, empty share and reports the result.
 */
export interface BuilderPlan {
  /** The server's name, which is converted to a valid host name. */
  hostname: string;
  library: { id: string; version: string };
  /** The version that the image's python3 must have; null for any version, and with an interpreter. */
  pythonVersion: string | null;
  /**
   * The interpreter that installs the packages, for each architecture. If empty, the packages are installed
   * with the image's pip.
   */
  interpreters: InterpreterArchive[];
  /** Whether the interpreter belongs to the library itself, not to a dependency. */
  bringsInterpreter: boolean;
  /** pip requirements. */
  packages: string[];
  /** pip constraints. */
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
