/**
 * What instances, builders and nodes of lite clusters use at their first boot to reach package sources. A URL
 * of an index or a proxy may contain a password.
 */
export interface FirstBootConfig {
  pipIndexUrl: string | null;
  pipExtraIndexUrls: string[];
  /** For http and https. */
  proxy: string | null;
  /** Hosts that are reached without the proxy, in addition to the gateway and the metadata service. */
  noProxy: string[];
  /** PEM bundle of certificate authorities that the machines trust. */
  caFile: string | null;
  aptMirror: string | null;
  aptSecurityMirror: string | null;
  /** Time servers; empty for those of the image. */
  ntpServers: string[];
}
