import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Config, type Environment, loadConfig } from '@gateway/platform';
import type { Container, KubernetesObject, PodTemplate } from './kubernetes-objects.ts';

/** What a process in a pod loads, from the objects that the pod names, with the gateway's own loader. */
export function configOfPod(objects: KubernetesObject[], name: string): Config {
  const root = mkdtempSync(join(tmpdir(), 'gateway-pod-'));
  try {
    return loadConfig(mountPod(objects, name, root));
  } finally {
    rmSync(root, { recursive: true });
  }
}

/**
 * Writes the files that a pod of a Deployment or Job mounts below a folder.
 * @returns its variables, in which paths of mounted files and folders begin with the folder
 */
export function mountPod(objects: KubernetesObject[], name: string, root: string): Environment {
  const owner = objects.find(({ metadata, spec }) => metadata.name === name && spec?.template !== undefined);
  const pod: PodTemplate = owner?.spec.template ?? assert.fail(name);
  const [container] = pod.spec.containers;
  assert.ok(container);
  for (const [path, text] of mountedFiles(objects, pod, container)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const isMounted = (path: string) =>
    container.volumeMounts.some(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`));
  const entries = Object.entries(environmentOf(objects, container)).map(
    ([key, value = '']): [string, string] => [key, isMounted(value) ? join(root, value) : value],
  );
  return Object.fromEntries(entries);
}

/** The variables of a container, with the values of what it refers to, and that of the image. */
export function environmentOf(objects: KubernetesObject[], container: Container): Environment {
  const variables: Environment = { HOST: '0.0.0.0' };
  for (const { configMapRef } of container.envFrom ?? []) {
    Object.assign(variables, dataOf(objects, 'ConfigMap', configMapRef.name));
  }
  for (const { name, value: given, valueFrom } of container.env ?? []) {
    if (given !== undefined) variables[name] = given;
    if (valueFrom === undefined) continue;
    const { name: secret, key, optional = false } = valueFrom.secretKeyRef;
    const value = dataOf(objects, 'Secret', secret)?.[key];
    if (value !== undefined) variables[name] = Buffer.from(value, 'base64').toString();
    else assert.ok(optional, `the Secret ${secret} has no ${key}`);
  }
  return variables;
}

function mountedFiles(
  objects: KubernetesObject[],
  pod: PodTemplate,
  container: Container,
): [string, string][] {
  return container.volumeMounts.flatMap(({ name, mountPath }) => {
    const { configMap, secret } = pod.spec.volumes?.find((volume) => volume.name === name) ?? {};
    if (secret !== undefined) {
      const data = dataOf(objects, 'Secret', secret.secretName) ?? assert.fail(secret.secretName);
      return Object.entries(data).map(([key, text]): [string, string] => [
        join(mountPath, key),
        Buffer.from(text, 'base64').toString(),
      ]);
    }
    if (configMap === undefined) return [];
    const data = dataOf(objects, 'ConfigMap', configMap.name);
    assert.ok(data ?? configMap.optional, `there is no config map ${configMap.name}`);
    return Object.entries(data ?? {}).map(([key, text]): [string, string] => [join(mountPath, key), text]);
  });
}

function dataOf(objects: KubernetesObject[], kind: string, name: string): Record<string, string> | undefined {
  return objects.find((object) => object.kind === kind && object.metadata.name === name)?.data;
}
