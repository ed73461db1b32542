import { requests } from '../access-request.ts';
import { certificateRequests, loadBalancerRequests } from '../cloud-controller/index.ts';
import { type KubernetesObject, secret } from '../kubernetes-object.ts';
import { manifestText } from '../manifest-text.ts';
import { manifests } from '../manifests.ts';
import type { Plugin } from '../plugin.ts';
import { type PluginSettings, requireCredential } from '../settings.ts';

const caPath = '/etc/octavia-ingress-controller/ca.pem';

/** A load balancer for each ingress of the class `openstack`, in place of k3s's own ingress controller. */
export const lbIngress: Plugin = {
  requires: ['network', 'loadBalancer'],
  requests: () => [
    ...loadBalancerRequests,
    // Certificates of ingresses, in clouds with a key manager.
    ...requests('keyManager', 'GET POST', '/secrets'),
    ...requests('keyManager', 'DELETE', '/secrets/*'),
    ...certificateRequests,
  ],
  contribute: (settings) => ({
    manifests: [configuration(settings), ...manifests('lb-ingress', settings)],
    serverArguments: ['--disable=traefik'],
  }),
};

/** A secret, because the controller's credential is in the same file as its other settings. */
function configuration(settings: PluginSettings): KubernetesObject {
  const { clusterName, identityUrl, region, caPem, network, floatingNetworkId } = settings;
  const credential = requireCredential(settings);
  const config = {
    'cluster-name': clusterName,
    openstack: {
      'auth-url': identityUrl,
      region,
      'application-credential-id': credential.id,
      'application-credential-secret': credential.secret,
      ...(caPem !== null && { 'ca-file': caPath }),
    },
    octavia: {
      'subnet-id': network.subnetId,
      ...(floatingNetworkId !== null && { 'floating-network-id': floatingNetworkId }),
      ...(settings.loadBalancerProvider !== null && { provider: settings.loadBalancerProvider }),
      // The cluster's own security group already admits the load balancers.
      'manage-security-groups': false,
    },
  };
  return secret('octavia-ingress-controller', {
    'config.yaml': manifestText([config]),
    ...(caPem !== null && { 'ca.pem': caPem }),
  });
}
