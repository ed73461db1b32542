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
  /** Repositories of apt besides those of the image. */
  aptSources: AptSourceConfig[];
  /** Time servers; empty for those of the image. */
  ntpServers: string[];
}

/** A repository of apt. */
export interface AptSourceConfig {
  /** Name of its file in `/etc/apt/sources.list.d`, without the extension. */
  name: string;
  /** In which apt replaces `$(ARCH)`. */
  url: string;
  /** Ends with `/` for a repository without components. cloud-init replaces `$RELEASE`. */
  suite: string;
  components: string[];
  /** File with the public key that has signed the repository, in ASCII armor. */
  keyFile: string;
}
