import { aggregatePlugins, type PluginKey, type PluginSettings, pluginKeys } from '@gateway/lite';
import { parseAllDocuments } from 'yaml';

/** The parts of the plugins' objects that tests check. */
export interface PluginObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  parameters?: Record<string, string>;
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
  subjects?: { kind: string; name: string }[];
  spec?: { template?: { spec: PodSpec } };
}

interface PodSpec {
  hostNetwork?: boolean;
  nodeSelector?: Record<string, string>;
  runtimeClassName?: string;
  containers: {
    name: string;
    image: string;
    args?: string[];
    command?: string[];
    terminationMessagePolicy?: string;
  }[];
  volumes?: { secret?: { secretName: string }; configMap?: { name: string } }[];
}

/** The objects of the plugins as a YAML 1.1 parser, such as that of Kubernetes, reads them. */
export function pluginObjects(
  settings: PluginSettings,
  keys: readonly PluginKey[] = pluginKeys,
): { key: PluginKey; objects: PluginObject[] }[] {
  return aggregatePlugins(keys, settings).plugins.map(({ key, manifests }) => ({
    key,
    objects: [...parseAllDocuments(manifests, { version: '1.1' })].map(
      (document) => document.toJS() as PluginObject,
    ),
  }));
}

/** The values of a secret of a plugin, as text. */
export function secretData(objects: readonly PluginObject[], name: string): Record<string, string> {
  const data = objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === name)?.data ?? {};
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

export function podSpecs(objects: readonly PluginObject[]): PodSpec[] {
  return objects.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template.spec]));
}
