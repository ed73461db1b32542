import type { PluginKey } from '@gateway/lite';
import type { AccessRule } from '@gateway/openstack';
import type { ClusterContext } from './context.ts';

/** @throws 503 `plugin_unavailable` if the catalog lacks a service that a plugin works with */
export function checkPlugins(_context: ClusterContext, _plugins: readonly PluginKey[]): void {}

export function pluginsNeedCredential(plugins: readonly PluginKey[]): boolean {
  return plugins.length > 0;
}

/** The requests that the plugins make. */
export function pluginAccessRules(_plugins: readonly PluginKey[]): AccessRule[] {
  return [];
}
