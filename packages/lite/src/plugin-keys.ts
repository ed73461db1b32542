import type { LitePluginsConfig } from '@gateway/platform';

/**
 * The plugins by the keys of the interface and, after them, those of the gateway's own, in the order of their
 * installation.
 */
const pluginFlags = {
  cloud_controller: 'cloudControllerEnabled',
  block_csi: 'blockCsiEnabled',
  file_csi: 'fileCsiEnabled',
  lb_ingress: 'lbIngressEnabled',
  identity_auth: 'identityAuthEnabled',
  secrets_kms: 'secretsKmsEnabled',
  gpu: 'gpuEnabled',
} as const satisfies Record<string, keyof LitePluginsConfig>;

export type PluginKey = keyof typeof pluginFlags;

/** In the order of their installation. */
export const pluginKeys = Object.keys(pluginFlags) as PluginKey[];

/** The plugins of new clusters, in the order of their installation. `gpu` is only for clusters with GPUs. */
export function enabledPlugins(config: LitePluginsConfig, { hasGpus }: { hasGpus: boolean }): PluginKey[] {
  return pluginKeys.filter((key) => config[pluginFlags[key]] && (key !== 'gpu' || hasGpus));
}
