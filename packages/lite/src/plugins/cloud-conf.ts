import type { NodeFile } from '../first-boot/plan.ts';
import { iniText } from './ini.ts';
import { type PluginSettings, requireCredential } from './settings.ts';

/** Folder of the cloud configuration on the control node and in the containers that mount it. */
const cloudConfDir = '/etc/kubernetes';

const cloudConfPath = `${cloudConfDir}/cloud.conf`;

const caPath = `${cloudConfDir}/cloud-ca.pem`;

/** The cloud configuration and the file that it refers to. */
export function cloudConfFiles(settings: PluginSettings): NodeFile[] {
  const { caPem } = settings;
  return [
    { path: cloudConfPath, content: cloudConf(settings), mode: '0600' },
    ...(caPem === null ? [] : [{ path: caPath, content: caPem, mode: '0600' } as const]),
  ];
}

/** The configuration that the cloud controller, the block storage plugin and the key plugin share. */
function cloudConf(settings: PluginSettings): string {
  const { id, secret } = requireCredential(settings);
  return iniText({
    Global: {
      'auth-url': settings.identityUrl,
      region: settings.region,
      'application-credential-id': id,
      'application-credential-secret': secret,
      'ca-file': settings.caPem === null ? null : caPath,
    },
    LoadBalancer: {
      'subnet-id': settings.network.subnetId,
      'floating-network-id': settings.floatingNetworkId,
      // Without this setting, a service would fail in a cloud without an external network.
      'internal-lb': settings.floatingNetworkId === null,
      'lb-provider': settings.loadBalancerProvider,
      // The only method of this provider.
      'lb-method': settings.loadBalancerProvider === 'ovn' ? 'SOURCE_IP_PORT' : null,
      'create-monitor': true,
      // The cluster's own security group already admits the load balancers.
      'manage-security-groups': false,
    },
    KeyManager: { 'key-id': settings.keyId },
  });
}
