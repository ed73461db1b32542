import { type AccessRequest, requests } from '../access-request.ts';
import { cloudConfigSecret } from '../cloud-config-secret.ts';
import { manifests } from '../manifests.ts';
import type { Plugin } from '../plugin.ts';

/**
 * With their provider id, nodes belong to their own servers. Without it the program finds servers by name,
 * which another server of the project may have. The node replaces the word with its id.
 */
const kubeletArguments = [
  '--kubelet-arg=cloud-provider=external',
  '--kubelet-arg=provider-id=openstack:///@INSTANCE_ID@',
];

/**
 * Initialises nodes, removes nodes whose machine no longer exists, and creates the load
 * balancers of services.
 */
export const cloudController: Plugin = {
  requires: ['compute', 'network', 'loadBalancer'],
  requests: () => [
    ...requests('compute', 'GET', '/servers/*', '/flavors/*'),
    ...loadBalancerRequests,
    ...requests('network', 'GET', '/networks', '/networks/*', '/subnets', '/ports', '/ports/*'),
    // After each change of a service, the program searches for a security group to remove.
    ...requests('network', 'GET', '/security-groups'),
    // Certificates that services refer to.
    ...requests('keyManager', 'GET', '/secrets/*', '/containers/*'),
    ...certificateRequests,
    ...requests('keyManager', 'GET PUT', '/containers/*/acl'),
  ],
  contribute: (settings) => ({
    manifests: [cloudConfigSecret(settings), ...manifests('cloud-controller', settings)],
    serverArguments: [
      '--disable-cloud-controller',
      '--disable=servicelb',
      // Its service would get a public load balancer that nobody asked for.
      '--disable=traefik',
      ...kubeletArguments,
    ],
    agentArguments: kubeletArguments,
    readsCloudConf: true,
  }),
};

/** Requests for load balancers with floating IPs, in a cluster that does not manage security groups. */
export const loadBalancerRequests: readonly AccessRequest[] = [
  ...requests('loadBalancer', 'GET POST PUT DELETE', '/lbaas/**'),
  ...requests('network', 'GET', '/subnets/*', '/floatingips'),
  ...requests('network', 'POST', '/floatingips'),
  ...requests('network', 'PUT DELETE', '/floatingips/*'),
];

/**
 * Requests of the load balancer service with the credential's token: it lets its own user read the
 * certificate of a listener. Releases before 2023.2 exchange the token first, which the identity service
 * refuses for application credentials, so listeners with certificates do not work there.
 */
export const certificateRequests = requests('keyManager', 'GET PUT', '/secrets/*/acl');
