import { cloudConfDir, cloudConfFiles } from './cloud-conf.ts';
import { type KubernetesObject, secret } from './kubernetes/object.ts';
import type { PluginSettings } from './settings.ts';

const name = 'cloud-config';

/**
 * The cloud configuration for containers. Each plugin that mounts it also creates it, because the
 * others may be disabled.
 */
export function cloudConfigSecret(settings: PluginSettings): KubernetesObject {
  const files = cloudConfFiles(settings).map(({ path, content }) => [fileName(path), content]);
  return secret(name, Object.fromEntries(files));
}

export const cloudConfigVolume = { name, secret: { secretName: name } };

/** At the same path as on the control node, so that the configuration can refer to its other files. */
export const cloudConfigMount = { name, mountPath: cloudConfDir, readOnly: true };

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
