import { guestFile } from '../guest-file.ts';
import { secret } from '../kubernetes-object.ts';
import { manifests } from '../manifests.ts';
import type { Plugin } from '../plugin.ts';

const webhookPath = '/etc/kubernetes/identity-auth-webhook.yaml';

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
    files: [guestFile('identity-auth', 'webhook.yaml', webhookPath, '0600')],
    serverArguments: [
      `--kube-apiserver-arg=authentication-token-webhook-config-file=${webhookPath}`,
      // The only version that the webhook supports.
      '--kube-apiserver-arg=authentication-token-webhook-version=v1beta1',
    ],
    manifests: [
      ...(settings.caPem === null ? [] : [secret('k8s-keystone-auth', { 'ca.pem': settings.caPem })]),
      ...manifests('identity-auth', settings),
    ],
  }),
};
