import type { LitePluginsConfig } from '@gateway/config';

/** The plugins by the keys of the interface, in the order of their installation. */
const pluginFlags = {
  cloud_controller: 'cloudControllerEnabled',
  block_csi: 'blockCsiEnabled',
  file_csi: 'fileCsiEnabled',
  lb_ingress: 'lbIngressEnabled',
  identity_auth: 'identityAuthEnabled',
  secrets_kms: 'secretsKmsEnabled',
} as const satisfies Record<string, keyof LitePluginsConfig>;

export type PluginKey = keyof typeof pluginFlags;

/** In the order of their installation. */
export const pluginKeys = Object.keys(pluginFlags) as PluginKey[];

/** The plugins of new clusters, in the order of their installation. */
export function enabledPlugins(config: LitePluginsConfig): PluginKey[] {
  return pluginKeys.filter((key) => config[pluginFlags[key]]);
}
