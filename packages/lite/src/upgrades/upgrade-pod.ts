import { busybox } from '../plugins/images.ts';
import { namespace, secret } from '../plugins/kubernetes-object.ts';

/** The image of the pods that upgrade nodes. It has the program `nsenter`. */
export const upgradeImage = busybox;

/** The namespace of the pods that upgrade nodes. */
export const UPGRADE_NAMESPACE = namespace;

/** Annotation of a pod that upgrades a node: the id of its job. */
export const UPGRADE_JOB_ANNOTATION = 'gateway/job';

export function upgradePodName(nodeName: string): string {
  return `gateway-upgrade-${nodeName}`;
}

const VALUE = 'value';

/** The secret of a pod that upgrades a node. It has the name of the pod, and is deleted with it. */
export function upgradeSecret(nodeName: string, value: string) {
  return secret(upgradePodName(nodeName), { [VALUE]: value });
}

/**
 * The pod that runs a command with all rights on a node, whatever the state of the node. It bypasses the
 * scheduler, which places nothing on a cordoned node.
 *
 * @param secretVariable the variable of the command with the value of the secret; null without a secret
 */
export function upgradePod(
  nodeName: string,
  jobId: string,
  command: readonly string[],
  secretVariable: string | null,
) {
  const valueFrom = { secretKeyRef: { name: upgradePodName(nodeName), key: VALUE } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: upgradePodName(nodeName),
      namespace,
      annotations: { [UPGRADE_JOB_ANNOTATION]: jobId },
    },
    spec: {
      nodeName,
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      hostPID: true,
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'upgrade',
          image: upgradeImage,
          // Kubernetes would replace `$(NAME)` by a variable.
          command: command.map((word) => word.replaceAll('$', '$$$$')),
          ...(secretVariable !== null && { env: [{ name: secretVariable, valueFrom }] }),
          securityContext: { privileged: true },
          terminationMessagePolicy: 'FallbackToLogsOnError',
        },
      ],
    },
  };
}
