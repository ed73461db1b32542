import type { CloudConfig } from './cloud-config.ts';
import type { GuestFile } from './guest-file.ts';
import { planDir, singleLine } from './plan-file.ts';

/** What a machine uses at its first boot to reach package sources. URLs may contain passwords. */
export interface FirstBootSettings {
  pipIndexUrl: string | null;
  pipExtraIndexUrls: string[];
  /** URL of the proxy for http and https. */
  proxy: string | null;
  /** Hosts that are reached without the proxy. */
  noProxy: string[];
  /** PEM of certificate authorities, one each. */
  certificates: string[];
  aptMirror: string | null;
  aptSecurityMirror: string | null;
  aptSources: AptRepository[];
  ntpServers: string[];
}

/** A repository of apt besides those of the image. */
interface AptRepository {
  /** Letters, digits and hyphens. */
  name: string;
  url: string;
  suite: string;
  components: string[];
  /** The public key of the repository, in ASCII armor. apt accepts it for this repository only. */
  key: string;
}

/** The sources that the image itself defines. */
export const IMAGE_SETTINGS: FirstBootSettings = {
  pipIndexUrl: null,
  pipExtraIndexUrls: [],
  proxy: null,
  noProxy: [],
  certificates: [],
  aptMirror: null,
  aptSecurityMirror: null,
  aptSources: [],
  ntpServers: [],
};

/** The part of the settings that cloud-init itself applies, before it runs the script. */
export function settingsConfig({
  aptMirror,
  aptSecurityMirror,
  aptSources,
  certificates,
  ntpServers,
}: FirstBootSettings): Pick<CloudConfig, 'apt' | 'ca_certs' | 'ntp'> {
  const apt = {
    ...mirrorOf('primary', aptMirror),
    ...mirrorOf('security', aptSecurityMirror),
    ...(aptSources.length > 0 && { sources: Object.fromEntries(aptSources.map(sourceEntry)) }),
  };
  return {
    ...(Object.keys(apt).length > 0 && { apt }),
    ...(certificates.length > 0 && { ca_certs: { trusted: certificates } }),
    ...(ntpServers.length > 0 && { ntp: { enabled: true, servers: ntpServers } }),
  };
}

function mirrorOf(key: 'primary' | 'security', uri: string | null) {
  return uri === null ? {} : { [key]: [{ arches: ['default'], uri }] };
}

function sourceEntry({ name, url, suite, components, key }: AptRepository) {
  const source = ['deb [signed-by=$KEY_FILE]', url, suite, ...components].join(' ');
  return [`${name}.list`, { source: singleLine(source), key }] as const;
}

/**
 * The variables that the scripts export to the programs that they run. Only root can read the file. Returns
 * none without settings.
 */
export function settingsFiles(settings: FirstBootSettings, directHosts: string[]): GuestFile[] {
  const { pipIndexUrl, pipExtraIndexUrls, proxy, noProxy, certificates } = settings;
  const variables = [
    ...(pipIndexUrl === null ? [] : [`PIP_INDEX_URL=${pipIndexUrl}`]),
    ...(pipExtraIndexUrls.length === 0 ? [] : [`PIP_EXTRA_INDEX_URL=${pipExtraIndexUrls.join(' ')}`]),
    ...(proxy === null ? [] : proxyVariables(proxy, [...new Set([...noProxy, ...directHosts])])),
    ...(certificates.length === 0 ? [] : ['GATEWAY_SYSTEM_CERTIFICATES=yes']),
  ];
  if (variables.length === 0) return [];
  const content = variables.map((variable) => `${singleLine(variable)}\n`).join('');
  return [{ path: `${planDir}/environment`, permissions: '0600', content }];
}

/** Some programs read only the names in lower case, others only those in upper case. */
function proxyVariables(proxy: string, noProxy: string[]): string[] {
  const lower = [`http_proxy=${proxy}`, `https_proxy=${proxy}`, `no_proxy=${noProxy.join(',')}`];
  return lower.flatMap((variable) => {
    const [name = ''] = variable.split('=');
    return [variable, name.toUpperCase() + variable.slice(name.length)];
  });
}

/** The host of a URL as in a list of hosts without proxy: an IPv6 address has no brackets. */
export function urlHost(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}
