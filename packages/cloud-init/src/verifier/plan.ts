import type { OverlayPlan } from '../instance/plan.ts';
import type { CallbackTarget } from '../plan-callback.ts';

/**
 * The work of a verifier: a machine that uses one library as instances do, imports its packages and reports
 * the result.
 */
export interface VerifierPlan {
  /** The server's name, which is converted to a valid host name. */
  hostname: string;
  /** The layers are read-only, and the last one is that of the library. */
  workspace: Pick<OverlayPlan, 'upperVolumeId' | 'upperDevice' | 'layers'>;
  /** The version of the interpreter in the layers; null without one. */
  pythonVersion: string | null;
  /** The names of the packages to import. */
  imports: string[];
  report: CallbackTarget;
  /** The machine stops its work after this time. */
  timeLimitSeconds: number;
}
