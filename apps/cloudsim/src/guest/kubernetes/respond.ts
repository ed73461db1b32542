import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../common/json.ts';
import { evict } from './evictions.ts';
import {
  objectKey,
  objectsOf,
  PODS,
  putObject,
  removeObject,
  STORAGE_CLASSES,
  timestamp,
} from './objects.ts';
import {
  failure,
  type KubernetesReply,
  type KubernetesRequest,
  notFound,
  type Target,
  targetOf,
} from './request.ts';
import type { KubernetesCluster, KubernetesObject } from './state.ts';
import { followChange } from './workloads.ts';

const HEALTH_PATHS = ['/healthz', '/livez', '/readyz'];
const APPLY_TYPE = 'application/apply-patch+yaml';
const PATCH_TYPES = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];

/** Handles a request as a kube-apiserver does, as far as the gateway uses it. */
export function respond(
  cluster: KubernetesCluster,
  { isHealthy }: { isHealthy: boolean },
  request: KubernetesRequest,
): KubernetesReply {
  const { caller, method } = request;
  const path = request.path.replace(/\/$/, '');
  if (path === '/version') return { status: 200, body: versionOf(cluster) };
  if (HEALTH_PATHS.includes(path)) {
    if (isHealthy) return { status: 200, body: 'ok' };
    return { status: 500, body: `[-]etcd failed: reason withheld\n${path.slice(1)} check failed\n` };
  }
  const target = targetOf(path);
  if (target === null) return failure(404, 'NotFound', 'the server could not find the requested resource');
  if (!caller.isAdmin) return forbidden(request, target);
  if (target.subresource !== undefined) {
    const isEviction = target.subresource === 'eviction' && target.collection === PODS && method === 'POST';
    if (isEviction) return evict(cluster, target, request.body);
    if (target.subresource === 'status') return handleStatus(cluster, target, request);
    return failure(404, 'NotFound', 'the server could not find the requested resource');
  }
  return target.name === undefined
    ? handleCollection(cluster, target, request)
    : handleObject(cluster, target, request);
}

function handleCollection(
  cluster: KubernetesCluster,
  { collection, namespace }: Target,
  { method, query, body }: KubernetesRequest,
): KubernetesReply {
  if (method === 'GET') {
    const items = objectsOf(cluster, collection, namespace)
      .filter(nodeFilter(query.get('fieldSelector')))
      .filter(labelFilter(query.get('labelSelector')));
    const apiVersion = collection.group.replace(/^apis?\//, '');
    const metadata = { resourceVersion: String(cluster.revision) };
    return { status: 200, body: { kind: `${collection.kind}List`, apiVersion, metadata, items } };
  }
  if (method !== 'POST') return notAllowed();
  const metadata = isObject(body) && isObject(body.metadata) ? body.metadata : {};
  const { name } = metadata;
  if (!isObject(body) || typeof name !== 'string')
    return failure(422, 'Invalid', 'metadata.name: Required value: name or generateName is required');
  if (cluster.objects.has(objectKey(collection, namespace, name)))
    return failure(409, 'AlreadyExists', `${collection.resource} "${name}" already exists`);
  const place = namespace === undefined ? {} : { namespace };
  const created = putObject(cluster, collection, { ...body, metadata: { ...metadata, name, ...place } });
  if (collection === PODS && created.spec?.nodeName !== undefined)
    created.status = { phase: 'Running', startTime: timestamp() };
  return { status: 201, body: created };
}

function handleObject(
  cluster: KubernetesCluster,
  target: Target,
  { method, contentType, body }: KubernetesRequest,
): KubernetesReply {
  const { collection, namespace, name = '' } = target;
  const found = cluster.objects.get(objectKey(collection, namespace, name));
  if (method === 'PATCH' && contentType === APPLY_TYPE) return apply(cluster, target, found, body);
  if (found === undefined) return notFound(target);
  if (method === 'GET') return { status: 200, body: found };
  if (method === 'DELETE') {
    removeObject(cluster, collection, found);
    const details = { name, kind: collection.resource, uid: found.metadata.uid };
    return {
      status: 200,
      body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details },
    };
  }
  if (method !== 'PATCH') return notAllowed();
  if (!PATCH_TYPES.includes(contentType))
    return failure(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format: ${contentType}`,
    );
  const expected = isObject(body) && isObject(body.metadata) ? body.metadata.resourceVersion : undefined;
  if (expected !== undefined && expected !== found.metadata.resourceVersion)
    return failure(409, 'Conflict', `Operation cannot be fulfilled on ${collection.resource} "${name}"`);
  const merged = merge(found as unknown as Json, body ?? {}) as unknown as KubernetesObject;
  if (changesParameters(target, found, merged)) return immutableParameters(merged);
  const patched = putObject(cluster, collection, merged);
  if (patched.metadata.generation > found.metadata.generation) followChange(patched);
  if ((patched.metadata.deletionTimestamp ?? '') !== '' && (patched.metadata.finalizers ?? []).length === 0)
    removeObject(cluster, collection, patched);
  return { status: 200, body: patched };
}

/** Without field managers: fields that the applied object lacks stay. */
function apply(
  cluster: KubernetesCluster,
  target: Target,
  found: KubernetesObject | undefined,
  body: Json | undefined,
): KubernetesReply {
  const { collection, namespace, name = '' } = target;
  const place = namespace === undefined ? {} : { namespace };
  const before = (found ?? { metadata: { name, ...place } }) as unknown as Json;
  const merged = merge(before, body ?? {}) as unknown as KubernetesObject;
  if (found !== undefined && changesParameters(target, found, merged)) return immutableParameters(merged);
  const applied = putObject(cluster, collection, merged);
  if (found !== undefined) followChange(applied);
  return { status: found === undefined ? 201 : 200, body: applied };
}

/** Those of a storage class are immutable, also for a forced apply. */
function changesParameters(
  { collection }: Target,
  before: KubernetesObject,
  after: KubernetesObject,
): boolean {
  return collection === STORAGE_CLASSES && !isDeepStrictEqual(before.parameters, after.parameters);
}

function immutableParameters({ metadata, parameters }: KubernetesObject): KubernetesReply {
  const problem = `parameters: Invalid value: ${JSON.stringify(parameters)}: field is immutable`;
  return failure(422, 'Invalid', `StorageClass.storage.k8s.io "${metadata.name}" is invalid: ${problem}`);
}

/** Only the status of an object can be read and changed here. */
function handleStatus(
  cluster: KubernetesCluster,
  target: Target,
  request: KubernetesRequest,
): KubernetesReply {
  if (!['GET', 'PATCH'].includes(request.method)) return notAllowed();
  const status = isObject(request.body) ? request.body.status : undefined;
  return handleObject(cluster, target, { ...request, body: status === undefined ? {} : { status } });
}

/** A JSON merge patch: null removes a key. */
function merge(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key] ?? null, value);
  }
  return merged;
}

function nodeFilter(selector: string | null): (object: KubernetesObject) => boolean {
  const node = /^spec\.nodeName=(.*)$/.exec(selector ?? '')?.[1];
  return (object) => node === undefined || object.spec?.nodeName === node;
}

/** Selectors of the form `app in (a,b)`. */
function labelFilter(selector: string | null): (object: KubernetesObject) => boolean {
  const [, label = '', values] = /^(\S+) in \((.*)\)$/.exec(selector ?? '') ?? [];
  const accepted = values?.split(',');
  return ({ metadata }) => accepted === undefined || accepted.includes(metadata.labels?.[label] ?? '');
}

function versionOf({ version }: KubernetesCluster): object {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  return { major, minor, gitVersion: version, gitTreeState: 'clean', platform: 'linux/amd64' };
}

function forbidden({ caller, method }: KubernetesRequest, { collection, name }: Target): KubernetesReply {
  const { resource } = collection;
  const verb = method === 'GET' ? (name === undefined ? 'list' : 'get') : method.toLowerCase();
  const what = `cannot ${verb} resource "${resource}" in API group ""`;
  return failure(403, 'Forbidden', `${resource} is forbidden: User "${caller.name}" ${what}`, {
    kind: resource,
  });
}

function notAllowed(): KubernetesReply {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
}
