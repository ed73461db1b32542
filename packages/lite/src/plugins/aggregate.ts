import { baseUrl } from '@gateway/openstack';
import type { NodeFile } from '../first-boot/plan.ts';
import { type PluginKey, pluginKeys } from '../plugin-keys.ts';
import { cloudConfFiles } from './cloud-conf.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import { manifestText } from './manifest-text.ts';
import { plugins } from './plugins.ts';
import { checkSettings, type PluginSettings } from './settings.ts';
import { type PluginWorkload, workloadsIn } from './workloads.ts';

/** The combined contributions of a cluster's plugins. */
export interface AggregatedPlugins {
  /** Arguments of `k3s server`, without duplicates. */
  serverArguments: string[];
  /** Arguments of `k3s agent`, without duplicates. */
  agentArguments: string[];
  /**
   * Files of the control node that must exist before k3s starts for the first time, including the shared
   * cloud configuration if a plugin reads it. Some contain the credential.
   */
  files: NodeFile[];
  /**
   * In the order of their installation. The manifests are YAML, and some contain the credential. An object
   * that several plugins share is only in those of the first.
   */
  plugins: { key: PluginKey; manifests: string; objects: KubernetesObject[]; workloads: PluginWorkload[] }[];
}

/**
 * Combines the contributions of the plugins, in the order of their installation whatever
 * the order of the keys.
 *
 * @throws when a setting is invalid, or the credential or the key is missing; the message contains no value
 */
export function aggregatePlugins(keys: readonly PluginKey[], given: PluginSettings): AggregatedPlugins {
  checkSettings(given);
  // Some programs cannot discover the version of the identity service.
  const settings = { ...given, identityUrl: baseUrl('identity', given.identityUrl) };
  const parts = pluginKeys
    .filter((key) => keys.includes(key))
    .map((key) => ({ key, ...plugins[key].contribute(settings) }));
  return {
    serverArguments: unique(parts.flatMap(({ serverArguments = [] }) => serverArguments)),
    agentArguments: unique(parts.flatMap(({ agentArguments = [] }) => agentArguments)),
    files: [
      ...(parts.some(({ readsCloudConf }) => readsCloudConf) ? cloudConfFiles(settings) : []),
      ...parts.flatMap(({ files = [] }) => files),
    ],
    plugins: parts.map(({ key, manifests }, index) => {
      const earlier = parts.slice(0, index).flatMap((part) => part.manifests);
      const objects = manifests.filter((object) => !earlier.includes(object));
      return { key, manifests: manifestText(objects), objects, workloads: workloadsIn(manifests) };
    }),
  };
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
