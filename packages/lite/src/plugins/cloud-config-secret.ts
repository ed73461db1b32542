import { cloudConfFiles } from './cloud-conf.ts';
import { type KubernetesObject, secret } from './kubernetes-object.ts';
import type { PluginSettings } from './settings.ts';

/**
 * The cloud configuration for containers. Each plugin that mounts it also creates it, because the
 * others may be disabled.
 */
export function cloudConfigSecret(settings: PluginSettings): KubernetesObject {
  const files = cloudConfFiles(settings).map(({ path, content }) => [fileName(path), content]);
  return secret('cloud-config', Object.fromEntries(files));
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
