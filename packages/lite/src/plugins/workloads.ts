import type { WorkloadKind, WorkloadQuery } from '../kubernetes/index.ts';
import type { PluginKey } from '../plugin-keys.ts';
import { type KubernetesObject, namespace } from './kubernetes-object.ts';
import { plugins } from './plugins.ts';
import type { PluginSettings } from './settings.ts';

/** An object of a plugin's manifests that runs pods. */
export interface PluginWorkload {
  kind: WorkloadKind;
  name: string;
  /** The value of the label `app` of its pods. */
  app: string;
  /** Whether it runs only on nodes with certain labels, which the cluster may have none of. */
  isForSomeNodes: boolean;
}

interface Workload {
  template: { metadata: { labels: { app: string } }; spec: { nodeSelector?: Record<string, string> } };
}

/** The kinds of objects of the plugins that run pods. */
const KINDS: readonly string[] = ['Deployment', 'DaemonSet', 'StatefulSet', 'Job'] satisfies WorkloadKind[];

export function workloadsIn(manifests: readonly KubernetesObject[]): PluginWorkload[] {
  return manifests
    .filter(({ kind }) => KINDS.includes(kind))
    .map(({ kind, metadata, spec }) => {
      const { template } = spec as Workload;
      return {
        kind: kind as WorkloadKind,
        name: metadata.name,
        app: template.metadata.labels.app,
        isForSomeNodes: template.spec.nodeSelector !== undefined,
      };
    });
}

/** The workloads of a plugin, which depend on no setting. */
export function pluginWorkloads(key: PluginKey): PluginWorkload[] {
  return workloadsIn(plugins[key].contribute(ANY_SETTINGS).manifests);
}

/** What a check reads of the workloads of these plugins; null for plugins without any. */
export function workloadQuery(keys: readonly PluginKey[]): WorkloadQuery | null {
  const workloads = keys.flatMap(pluginWorkloads);
  if (workloads.length === 0) return null;
  const kinds = [...new Set(workloads.map(({ kind }) => kind))];
  return { namespace, kinds, apps: [...new Set(workloads.map(({ app }) => app))] };
}

/** The container images that nodes with these plugins pull, for these releases of k3s. */
export function pluginImages(keys: readonly PluginKey[], k3sVersions: readonly string[]): string[] {
  const contributions = k3sVersions.flatMap((k3sVersion) =>
    keys.map((key) => plugins[key].contribute({ ...ANY_SETTINGS, k3sVersion }).manifests),
  );
  const found = JSON.stringify(contributions).matchAll(/"(?:image|reference)":"([^"]+)"/g);
  return [...new Set([...found].map(([, image = '']) => image))];
}

const ANY = 'any';
/** What plugins contribute with them has the same objects as with any others. */
export const ANY_SETTINGS = {
  k3sVersion: ANY,
  clusterName: ANY,
  clusterId: ANY,
  projectId: ANY,
  identityUrl: ANY,
  region: ANY,
  caPem: null,
  credential: { id: 'any-id', secret: 'any-secret' },
  network: { subnetId: ANY, subnetCidr: ANY },
  floatingNetworkId: null,
  loadBalancerProvider: null,
  volumeType: null,
  nodeVolumeLimit: 1,
  share: { type: null, networkId: null },
  keyId: ANY,
} satisfies PluginSettings;
