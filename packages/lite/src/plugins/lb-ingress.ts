import { stringify } from 'yaml';
import { requests } from './access-request.ts';
import { certificateRequests, loadBalancerRequests } from './cloud-controller.ts';
import { providerImage } from './images.ts';
import { accountWithRules, rule } from './kubernetes/access.ts';
import { type KubernetesObject, secret } from './kubernetes/object.ts';
import { deployment } from './kubernetes/workload.ts';
import type { Plugin } from './plugin.ts';
import { type PluginSettings, requireCredential } from './settings.ts';

const name = 'octavia-ingress-controller';
const configDir = '/etc/octavia-ingress-controller';
const caPath = `${configDir}/ca.pem`;

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
    manifests: [
      configuration(settings),
      ...accountWithRules(name, [
        rule('get list watch', 'services nodes'),
        rule('get', 'secrets'),
        rule('create patch update', 'events'),
        rule('get list watch', 'ingresses', 'networking.k8s.io'),
        rule('update', 'ingresses/status', 'networking.k8s.io'),
      ]),
      deployment(name, {
        serviceAccountName: name,
        priorityClassName: 'system-cluster-critical',
        containers: [
          {
            name,
            image: providerImage('lbIngress', settings.k3sVersion),
            args: ['/bin/octavia-ingress-controller', `--config=${configDir}/config.yaml`],
            volumeMounts: [{ name: 'config', mountPath: configDir, readOnly: true }],
          },
        ],
        volumes: [{ name: 'config', secret: { secretName: name } }],
      }),
    ],
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
  return secret(name, {
    'config.yaml': stringify(config, {
      lineWidth: 0,
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'PLAIN',
    }),
    ...(caPem !== null && { 'ca.pem': caPem }),
  });
}
