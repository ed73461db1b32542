import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { busybox, providerRelease } from './images.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import type { PluginSettings } from './settings.ts';

/** What differs between clusters in the YAML files of the plugins, where it is `${name}`. */
function valuesOf(settings: PluginSettings): Record<string, string | null> {
  const { caPem, nodeVolumeLimit, share } = settings;
  return {
    providerRelease: providerRelease(settings.k3sVersion),
    busybox,
    clusterName: argument(settings.clusterName),
    clusterId: argument(settings.clusterId),
    identityUrl: argument(settings.identityUrl),
    identityCaFile: caPem === null ? null : '/etc/k8s-keystone-auth/ca.pem',
    projectId: settings.projectId,
    subnetCidr: settings.network.subnetCidr,
    volumeType: settings.volumeType,
    nodeVolumeLimit: String(nodeVolumeLimit),
    shareType: share.type,
    shareNetworkId: share.networkId,
  };
}

/** A value in an argument of a container, where Kubernetes would replace `$(NAME)` by a variable. */
function argument(value: string): string {
  return value.replaceAll('$', '$$$$');
}

/**
 * The objects of a folder for one cluster. A field or an item of a list whose value is null for this cluster
 * is left out.
 */
export function manifests(folder: string, settings: PluginSettings): KubernetesObject[] {
  const values = valuesOf(settings);
  return JSON.parse(JSON.stringify(objectsIn(folder)), (_key, part) => {
    if (typeof part === 'string') return filled(part, values);
    return Array.isArray(part) ? part.filter((item) => item !== undefined) : part;
  });
}

function filled(text: string, values: Record<string, string | null>): string | undefined {
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  for (const name of names) if (values[name] === undefined) throw new Error(`No plugin has a ${name}.`);
  if (names.some((name) => values[name] === null)) return undefined;
  return text.replaceAll(/\$\{(\w+)\}/g, (_all, name) => values[name] ?? '');
}

const folders = new Map<string, KubernetesObject[]>();

/** The objects in the YAML files of a folder beside this file: the same objects at each call. */
export function objectsIn(folder: string): KubernetesObject[] {
  const objects = folders.get(folder) ?? read(new URL(`./${folder}/`, import.meta.url));
  folders.set(folder, objects);
  return objects;
}

function read(folder: URL): KubernetesObject[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files.sort().flatMap((name) => {
    const documents = parseAllDocuments(readFileSync(new URL(name, folder), 'utf8'));
    return [...documents].map((document) => document.toJS() as KubernetesObject);
  });
}
