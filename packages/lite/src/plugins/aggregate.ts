import { baseUrl } from '@gateway/openstack';
import { type PluginKey, pluginKeys } from '../plugin-keys.ts';
import { cloudConfFiles } from './cloud-conf.ts';
import { manifestText } from './manifest-text.ts';
import type { NodeFile } from './plugin.ts';
import { plugins } from './registry.ts';
import { checkSettings, type PluginSettings } from './settings.ts';

/** What the plugins of a cluster add to it together. */
export interface AggregatedPlugins {
  /** Arguments of `k3s server`, each once. */
  serverArguments: string[];
  /** Arguments of `k3s agent`, each once. */
  agentArguments: string[];
  /**
   * Files of the control node that must exist before k3s starts for the first time, with the shared cloud configuration if
   * a plugin reads it. Some contain the credential.
   */
  files: NodeFile[];
  /** In the order of their installation. The manifests are YAML, and some contain the credential. */
  plugins: { key: PluginKey; manifests: string }[];
}

/**
 * Joins what the plugins add, in the order of their installation whatever the order of the keys.
 *
 * @throws when a setting cannot be used, or the credential or the key is missing; the message contains no value
 */
export function aggregatePlugins(keys: readonly PluginKey[], given: PluginSettings): AggregatedPlugins {
  checkSettings(given);
  // Not every program finds out the version of the identity service by itself.
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
    plugins: parts.map(({ key, manifests }) => ({ key, manifests: manifestText(manifests) })),
  };
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
