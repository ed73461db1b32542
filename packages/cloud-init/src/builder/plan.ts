import type { LayerShare } from '../layer-share.ts';

/** What a builder does: a machine that installs one library into a new, empty share and reports back. */
export interface BuilderPlan {
  /** The server's name; made into a valid host name. */
  hostname: string;
  library: { id: string; version: string };
  /** As in the catalogue; checked against the image's python3 where not null. */
  pythonVersion: string | null;
  /** pip requirements. */
  packages: string[];
  /**
   * Shell texts of the administrator's catalogue, run in order as root before the packages, each by
   * `bash -euo pipefail`, with GATEWAY_SHARE (the folder of the share) in its environment.
   */
  commands: string[];
  share: LayerShare;
  report: BuilderReport;
  /** After which the machine gives up by itself. */
  timeLimitSeconds: number;
}

export interface BuilderReport {
  /** Where it reports, http or https. */
  url: string;
  /** One-time secret. */
  token: string;
  /** PEM of the authority that signed the url's certificate, where the image does not know it. */
  caCertificate: string | null;
}
