import { readFileSync } from 'node:fs';
import { GatewayError } from '@gateway/core';
import {
  type AggregatedPlugins,
  aggregatePlugins,
  type LiteCluster,
  missingServices,
  type PluginKey,
  type PluginSettings,
} from '@gateway/lite';
import type { Endpoints } from '@gateway/openstack';
import type { LiteClusterContext } from './context.ts';

/** What the plugins of a cluster know about the cloud; decided before anything is created. */
export interface PluginPlan {
  network: PluginSettings['network'];
  floatingNetworkId: string | null;
  /** Of claims. The type is null if no plugin creates shares, or if there is no default type. */
  share: PluginSettings['share'];
}

/** @throws 503 `plugin_unavailable` if the catalog lacks a service that a plugin needs */
export function checkPlugins(plugins: readonly PluginKey[], endpoints: Endpoints): void {
  const [missing] = missingServices(plugins, (service) => endpoints[service] !== undefined);
  if (missing === undefined) return;
  throw new GatewayError(
    503,
    'plugin_unavailable',
    `Clusters cannot be created: the cloud has no service that the plugin ${missing.key} works with (${missing.service}).`,
  );
}

/**
 * The program of `file_csi` does not let the service choose: without a type it asks for one named `default`.
 *
 * @throws 503 `plugin_unavailable` if no type is configured and the service has no default
 */
export function requireShareType(plugins: readonly PluginKey[], { share }: PluginPlan): void {
  if (share.type !== null || !plugins.includes('file_csi')) return;
  throw new GatewayError(
    503,
    'plugin_unavailable',
    'Clusters cannot be created: the plugin file_csi needs a share type, and the shared file system service has ' +
      'no default. The operator of the gateway can set file_storage.share_type.nfs.',
  );
}

/** Whether one of these plugins encrypts with a key of the key manager. */
export function pluginsUseKey(plugins: readonly PluginKey[]): boolean {
  return plugins.includes('secrets_kms');
}

/** What the plugins add to the nodes. Contains secrets. */
export function aggregateFor(
  { config, projectId }: Pick<LiteClusterContext, 'config' | 'projectId'>,
  cluster: Pick<LiteCluster, 'id' | 'name' | 'plugins'>,
  {
    plan,
    credential,
    keyId,
    k3sVersion,
  }: { plan: PluginPlan } & Pick<PluginSettings, 'credential' | 'keyId' | 'k3sVersion'>,
): AggregatedPlugins {
  const { identity, lite } = config;
  return aggregatePlugins(cluster.plugins, {
    k3sVersion,
    clusterName: cluster.name,
    clusterId: cluster.id,
    projectId,
    identityUrl: lite.identityUrl ?? identity.url,
    region: identity.region,
    caPem: identity.caFile === null ? null : readFileSync(identity.caFile, 'utf8'),
    credential,
    network: plan.network,
    floatingNetworkId: plan.floatingNetworkId,
    loadBalancerProvider: lite.loadBalancerProvider,
    volumeType: lite.volumeType,
    nodeVolumeLimit: lite.nodeVolumeLimit,
    share: plan.share,
    keyId,
  });
}
