import type { PluginSettings } from '@gateway/lite';

export const keyId = 'b5309dfb-b326-4148-b0ad-e9cd1ec223a8';

/** Settings as of a cluster in a site with its own certificate authority. */
export function pluginSettings(over: Partial<PluginSettings> = {}): PluginSettings {
  return {
    k3sVersion: 'v1.36.1+k3s1',
    clusterName: 'demo_1',
    clusterId: '7b2c0c1e-41d1-4f22-8333-9a4455556666',
    projectId: '423d41d3a02f4b77b4a9bbfbc3a1b3c6',
    identityUrl: 'https://identity.example/v3',
    region: 'RegionOne',
    caPem: '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmg\n-----END CERTIFICATE-----\n',
    credential: { id: '0123456789abcdef0123456789abcdef', secret: 'the-secret' },
    network: { subnetId: '9c018814-f2a8-45dd-9679-5400d49b333a', subnetCidr: '10.0.0.0/24' },
    floatingNetworkId: '80c9fc78-a2be-45d5-a85b-f17a6c98df92',
    loadBalancerProvider: null,
    volumeType: null,
    nodeVolumeLimit: 24,
    share: { type: 'default', networkId: null },
    keyId,
    ...over,
  };
}

/** Text that means something to each of the formats that settings go into. */
export const hostile = `'"\\ #;=[]{}&*!|>%@\`$(id) \${HOME} $$ : - é漢😀 <a> "quoted" \\n`;

/** Settings in which every value that may be any line of text is hostile. */
export function hostileSettings(): PluginSettings {
  return pluginSettings({
    clusterName: hostile,
    clusterId: hostile,
    projectId: hostile,
    identityUrl: hostile,
    region: hostile,
    credential: { id: hostile, secret: hostile },
    network: { subnetId: hostile, subnetCidr: hostile },
    floatingNetworkId: hostile,
    loadBalancerProvider: hostile,
    volumeType: hostile,
    share: { type: hostile, networkId: hostile },
  });
}
