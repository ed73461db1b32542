/** The configuration of the plugins of one cluster. */
export interface PluginSettings {
  /** The release of the cluster's nodes, such as `v1.36.1+k3s1`. */
  k3sVersion: string;
  /** The cluster's name as its creator chose it. The names of its load balancers contain it. */
  clusterName: string;
  clusterId: string;
  projectId: string;
  /** URL of the identity service for the nodes, with or without `/v3`. */
  identityUrl: string;
  /** Empty for a catalog with one region. */
  region: string;
  /** PEM bundle of certificate authorities for the services; null for those of the system. */
  caPem: string | null;
  /** The application credential that belongs to this cluster; null if no plugin uses one. */
  credential: { id: string; secret: string } | null;
  /** The network of the nodes. */
  network: { subnetId: string; subnetCidr: string };
  /** Network of the load balancers' floating IPs; null for internal load balancers only. */
  floatingNetworkId: string | null;
  /** Provider of the load balancers; null for the plugins' default, `amphora`. */
  loadBalancerProvider: string | null;
  /** Type of the volumes of claims; null lets the service choose. */
  volumeType: string | null;
  /** How many volumes of claims can be attached to a node. */
  nodeVolumeLimit: number;
  /** Type and network of the shares of claims; null lets the service choose. */
  share: { type: string | null; networkId: string | null };
  /** Id of the key manager's secret with the cluster's key: 32 bytes, `application/octet-stream`. */
  keyId: string | null;
}

/** @throws without a credential */
export function requireCredential({ credential }: PluginSettings): { id: string; secret: string } {
  if (credential === null) throw new Error('A plugin needs an application credential.');
  return credential;
}

/**
 * Checks values that files of several formats contain. Every format has an escape for other characters.
 *
 * @throws when a value has control characters, or a required value is empty; the message contains no value
 */
export function checkSettings(settings: PluginSettings): void {
  const required = [
    settings.clusterName,
    settings.clusterId,
    settings.projectId,
    settings.identityUrl,
    settings.credential?.id ?? null,
    settings.credential?.secret ?? null,
    settings.network.subnetId,
    settings.network.subnetCidr,
  ];
  const optional = [
    settings.region,
    settings.floatingNetworkId,
    settings.loadBalancerProvider,
    settings.volumeType,
    settings.share.type,
    settings.share.networkId,
    settings.keyId,
  ];
  if (required.includes('')) throw new Error('A setting of the plugins is empty.');
  for (const value of [...required, ...optional]) {
    if (value !== null && hasControlCharacters(value)) {
      throw new Error('A setting of the plugins contains control characters.');
    }
  }
  if (settings.caPem !== null && !/^[\t\n\r\x20-\x7e]*$/.test(settings.caPem)) {
    throw new Error('The certificate authorities for the plugins are not a PEM bundle.');
  }
  if (settings.keyId !== null && !/^[0-9a-f-]{1,64}$/i.test(settings.keyId)) {
    throw new Error('The id of the key for the plugins is not one of the key manager.');
  }
}

function hasControlCharacters(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it detects control characters
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value) || !value.isWellFormed();
}
