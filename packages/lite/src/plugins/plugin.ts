import type { ServiceName } from '@gateway/platform';
import type { NodeFile } from '../first-boot/plan.ts';
import type { AccessRequest } from './access-request.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import type { PluginSettings } from './settings.ts';

/** A plugin of lite clusters. It has no side effects: it only describes its contribution to a cluster. */
export interface Plugin {
  /** Services without which the plugin cannot work. */
  requires: readonly ServiceName[];
  /** Requests that the plugin's programs make with the cluster's credential. */
  requests(key: ClusterKey): readonly AccessRequest[];
  contribute(settings: PluginSettings): PluginContribution;
}

export interface ClusterKey {
  /** Id of the key manager's secret with the cluster's key; null for clusters without `secrets_kms`. */
  keyId: string | null;
}

/** The additions of a plugin to a cluster. */
interface PluginContribution {
  /** Applied in this order, once the cluster runs. */
  manifests: KubernetesObject[];
  /** Arguments of `k3s server`. */
  serverArguments?: string[];
  /** Arguments of `k3s agent`. */
  agentArguments?: string[];
  files?: NodeFile[];
  /** Whether the plugin reads the shared cloud configuration on the control node. */
  readsCloudConf?: boolean;
}
