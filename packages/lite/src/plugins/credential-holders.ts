import type { SecretValues } from '../kubernetes/index.ts';
import type { PluginKey } from '../plugin-keys.ts';
import { type KubernetesObject, namespace } from './kubernetes-object.ts';
import { plugins } from './plugins.ts';
import { ANY_SETTINGS, type PluginWorkload, workloadsIn } from './workloads.ts';

interface Credential {
  id: string;
  secret: string;
}

/** Where the credential of a cluster is, in the namespace of its plugins. */
export interface CredentialHolders {
  namespace: string;
  /** The names of the secrets that contain it. */
  secrets: string[];
  /** The workloads whose programs read it when they start. */
  workloads: PluginWorkload[];
}

/** The objects of these plugins that have the credential. They depend on no setting. */
export function credentialHolders(keys: readonly PluginKey[]): CredentialHolders {
  const objects = keys.flatMap((key) => plugins[key].contribute(ANY_SETTINGS).manifests);
  const secrets = new Set(
    objects
      .filter(({ kind, data }) => kind === 'Secret' && containsCredential(valuesOf(data), anyCredential))
      .map(({ metadata }) => metadata.name),
  );
  return {
    namespace,
    secrets: [...secrets],
    workloads: workloadsIn(objects.filter((object) => mounts(object, secrets))),
  };
}

/** Whether the gateway can replace the credential of a cluster with these plugins. */
export function isCredentialReplaceable(keys: readonly PluginKey[]): boolean {
  // Its program reads the credential from a file of the control node.
  return !keys.includes('secrets_kms');
}

export function containsCredential(values: SecretValues, { id, secret }: Credential): boolean {
  const all = Object.values(values);
  return [id, secret].every((part) => all.some((value) => value.includes(part)));
}

/**
 * The values of a secret with another credential. Values that do not have both the id and the secret of the
 * first stay: somebody has changed them. Ids and secrets have only characters that are the same in all
 * formats of the plugins' files.
 */
export function withCredential(values: SecretValues, from: Credential, to: Credential): SecretValues {
  if (!containsCredential(values, from)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      value.replaceAll(from.id, to.id).replaceAll(from.secret, to.secret),
    ]),
  );
}

/**
 * The network of floating IPs in the settings of a plugin; null if they say that services are internal, and
 * undefined if they say neither.
 */
export function floatingNetworkIn(values: SecretValues): string | null | undefined {
  for (const value of Object.values(values)) {
    const [, id] = /^ *floating-network-id *[=:] *"?([^"\s]+)/m.exec(value) ?? [];
    if (id !== undefined) return id;
    if (/^ *internal-lb *= *true\b/m.test(value)) return null;
  }
  return undefined;
}

const anyCredential = ANY_SETTINGS.credential;

function valuesOf(data: unknown): SecretValues {
  return Object.fromEntries(
    Object.entries(data as Record<string, string>).map(([key, value]) => [
      key,
      Buffer.from(value, 'base64').toString(),
    ]),
  );
}

function mounts({ spec }: KubernetesObject, secrets: ReadonlySet<string>): boolean {
  const { template } = (spec ?? {}) as {
    template?: { spec?: { volumes?: { secret?: { secretName: string } }[] } };
  };
  const volumes = template?.spec?.volumes ?? [];
  return volumes.some(({ secret }) => secret !== undefined && secrets.has(secret.secretName));
}
