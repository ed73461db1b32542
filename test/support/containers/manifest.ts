import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../source/workspaces.ts';
import type { ContainerSettings } from './container.ts';

/** The part of a Deployment that a container runtime and its probes use. */
export interface PodTemplate {
  terminationGracePeriodSeconds: number;
  securityContext: { runAsUser: number; runAsGroup: number; seccompProfile: { type: string } };
  containers: [
    {
      command: string[];
      env: { name: string }[];
      startupProbe: Probe;
      livenessProbe: Probe;
      readinessProbe: Probe;
      lifecycle?: { preStop: { exec: { command: string[] } } };
      resources: { limits: { memory: string } };
      securityContext: {
        allowPrivilegeEscalation: boolean;
        readOnlyRootFilesystem: boolean;
        capabilities: { drop: string[] };
      };
      volumeMounts: { name: string; mountPath: string }[];
    },
  ];
  volumes: { name: string; emptyDir?: { sizeLimit: string } }[];
}

export interface Probe {
  httpGet: { path: string };
  timeoutSeconds?: number;
}

/** The pod of the Deployment in `deploy/kubernetes/base/<role>.yaml`. */
export function readPodTemplate(role: 'api' | 'worker'): PodTemplate {
  const text = readFileSync(join(root, `deploy/kubernetes/base/${role}.yaml`), 'utf8');
  const objects = parseAllDocuments(text, { merge: true }).map((document) => document.toJS());
  const { spec } = objects.find(({ kind }) => kind === 'Deployment') as {
    spec: { template: { spec: PodTemplate } };
  };
  return spec.template.spec;
}

/**
 * The settings of the pod's container.
 *
 * @param volumes folders of this machine for volumes of the pod, by their names; the others are left out
 * @param seccomp the profile that the runtime applies by default
 */
export function settingsOfPod(
  pod: PodTemplate,
  environment: Record<string, string>,
  volumes: Record<string, string>,
  seccomp: object,
): ContainerSettings {
  const [container] = pod.containers;
  const { securityContext: security } = container;
  if (security.capabilities.drop.join() !== 'ALL') throw new Error('the container keeps capabilities');
  const profile = pod.securityContext.seccompProfile.type;
  if (profile !== 'RuntimeDefault') throw new Error(`no profile ${profile} here`);
  const settings: ContainerSettings = {
    command: container.command,
    environment,
    user: { uid: pod.securityContext.runAsUser, gid: pod.securityContext.runAsGroup },
    readOnlyRoot: security.readOnlyRootFilesystem,
    noNewPrivileges: !security.allowPrivilegeEscalation,
    memoryBytes: toBytes(container.resources.limits.memory),
    seccomp,
    temporaryFolders: {},
    folders: {},
  };
  for (const { name, mountPath } of container.volumeMounts) {
    const size = pod.volumes.find((volume) => volume.name === name)?.emptyDir?.sizeLimit;
    if (size !== undefined) settings.temporaryFolders[mountPath] = toBytes(size);
    else if (volumes[name] !== undefined) settings.folders[mountPath] = volumes[name];
  }
  return settings;
}

function toBytes(quantity: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  if (amount === undefined) throw new Error(`${quantity} is not a quantity of memory`);
  return Number(amount) * 1024 ** (unit === 'Gi' ? 3 : 2);
}
