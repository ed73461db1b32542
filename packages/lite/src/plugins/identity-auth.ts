import { providerImage } from './images.ts';
import { clusterRoleBinding, serviceAccount } from './kubernetes/access.ts';
import { secret } from './kubernetes/object.ts';
import { argument, daemonSet, onControlNode, onHostNetwork } from './kubernetes/workload.ts';
import { manifestText } from './manifest-text.ts';
import type { Plugin } from './plugin.ts';
import type { PluginSettings } from './settings.ts';

const name = 'k8s-keystone-auth';
const address = '127.0.0.1:8443';
const webhookPath = '/etc/kubernetes/identity-auth-webhook.yaml';
const caDir = '/etc/k8s-keystone-auth';
const caPath = `${caDir}/ca.pem`;
/**
 * k3s creates these files before its API server starts, and renews them; the webhook must be restarted in
 * the months after that. The kubelet's certificate is valid for 127.0.0.1. It prevents other programs on
 * the node's port from getting tokens, and no private key is in the first-boot data, which the metadata
 * service returns to every process on the node. (The webhook could pose as the kubelet, but it already
 * decides who a user is.)
 */
const k3s = {
  serverCa: '/var/lib/rancher/k3s/server/tls/server-ca.crt',
  certificate: '/var/lib/rancher/k3s/agent/serving-kubelet.crt',
  key: '/var/lib/rancher/k3s/agent/serving-kubelet.key',
};

/**
 * Lets users log in to the cluster with tokens of the identity service. The API server calls a webhook on its
 * own node. Users of the cluster's project may read. Administrators of the cluster grant more rights to the
 * group with the project's id as its name.
 */
export const identityAuth: Plugin = {
  requires: ['identity'],
  // The webhook validates a token with the token itself.
  requests: () => [],
  contribute: (settings) => ({
    files: [{ path: webhookPath, content: manifestText([webhook()]), mode: '0600' }],
    serverArguments: [
      `--kube-apiserver-arg=authentication-token-webhook-config-file=${webhookPath}`,
      // The only version that the webhook supports.
      '--kube-apiserver-arg=authentication-token-webhook-version=v1beta1',
    ],
    manifests: [
      serviceAccount(name),
      clusterRoleBinding(`${name}-project-view`, 'view', {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'Group',
        name: settings.projectId,
      }),
      ...(settings.caPem === null ? [] : [secret(name, { 'ca.pem': settings.caPem })]),
      server(settings),
    ],
  }),
};

function server({ identityUrl, caPem, k3sVersion }: PluginSettings) {
  const files = [
    { name: 'certificate', path: k3s.certificate },
    { name: 'key', path: k3s.key },
  ];
  return daemonSet(name, {
    serviceAccountName: name,
    automountServiceAccountToken: false,
    priorityClassName: 'system-cluster-critical',
    ...onHostNetwork,
    ...onControlNode,
    containers: [
      {
        name,
        image: providerImage('identityAuth', k3sVersion),
        args: [
          '/bin/k8s-keystone-auth',
          `--listen=${address}`,
          `--tls-cert-file=${k3s.certificate}`,
          `--tls-private-key-file=${k3s.key}`,
          argument('keystone-url', identityUrl),
          ...(caPem === null ? [] : [`--keystone-ca-file=${caPath}`]),
        ],
        volumeMounts: [
          ...files.map(({ name, path }) => ({ name, mountPath: path, readOnly: true })),
          ...(caPem === null ? [] : [{ name: 'ca', mountPath: caDir, readOnly: true }]),
        ],
      },
    ],
    volumes: [
      ...files.map(({ name, path }) => ({ name, hostPath: { path, type: 'File' } })),
      ...(caPem === null ? [] : [{ name: 'ca', secret: { secretName: name } }]),
    ],
  });
}

/** The address for token reviews of the API server, in the format of a client configuration. */
function webhook() {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'webhook',
        cluster: { server: `https://${address}/webhook`, 'certificate-authority': k3s.serverCa },
      },
    ],
    users: [{ name: 'webhook', user: {} }],
    contexts: [{ name: 'webhook', context: { cluster: 'webhook', user: 'webhook' } }],
    'current-context': 'webhook',
  };
}
