import { isWatched, type ResourceName, type WatchedResource } from '@gateway/core';
import type { ReportedChange } from '@gateway/jobs';
import { bodyOf } from '../http/response/reply.ts';
import type { AnyEndpoint, EndpointInput } from './endpoint.ts';

/** The resources that parameters of paths name. */
const RESOURCES_OF_PARAMS: Record<string, readonly WatchedResource[]> = {
  backup_id: ['backup'],
  cluster_id: ['cluster', 'lite_cluster'],
  container_id: ['container'],
  file_storage_id: ['file_storage'],
  fip_id: ['floating_ip'],
  floating_ip_id: ['floating_ip'],
  instance_id: ['instance'],
  keypair_name: ['keypair'],
  lb_id: ['load_balancer'],
  network_id: ['network'],
  router_id: ['router'],
  sg_id: ['security_group'],
  snapshot_id: ['snapshot'],
  transfer_id: ['transfer'],
  volume_id: ['volume'],
};

/** What is gone once the response of its DELETE has arrived. The others are first shown as being deleted. */
const DELETED_AT_ONCE: readonly ResourceName[] = [
  'floating_ip',
  'keypair',
  'network',
  'router',
  'security_group',
  'transfer',
];

const PER_USER: readonly ResourceName[] = ['keypair'];

/** The body of the response, if it has one. */
type Body = Readonly<Record<string, unknown>> | null | undefined;

/** A write that has succeeded. */
interface Write {
  endpoint: Pick<AnyEndpoint, 'access' | 'auditedIds' | 'method' | 'path'>;
  changed: readonly ResourceName[];
  params: unknown;
  input: EndpointInput;
  result: unknown;
  userId: string;
}

/**
 * What a write has changed in the caller's project. What it has created or deleted follows from its method,
 * its path and its response. The rest is touched: a poll finds out.
 */
export function changesOf({ endpoint, changed, params, input, result, userId }: Write): ReportedChange[] {
  const ids = idsOf(params);
  const body = bodyOf(result) as Body;
  const created = createdBy(endpoint, input, body);
  const [primary] = changed;
  return changed.filter(isWatched).flatMap((type): ReportedChange[] => {
    const row = { type, userId: PER_USER.includes(type) ? userId : null };
    const id = ids.get(type) ?? (type === primary ? idIn(body) : null);
    if (created !== null && type === primary) {
      const { state } = created;
      const creation: ReportedChange = { kind: 'created', ...row, id: created.id, state };
      // What has a state changes it soon.
      return state === null ? [creation] : [creation, { kind: 'touched', ...row }];
    }
    if (id !== null && DELETED_AT_ONCE.includes(type) && isDeletionOf(endpoint, type)) {
      return [{ kind: 'deleted', ...row, id }];
    }
    return [{ kind: 'touched', ...row, id }];
  });
}

/** What a write may have changed, without its response. */
export function touchedBy(changed: readonly ResourceName[], params?: unknown): ReportedChange[] {
  const ids = idsOf(params);
  return changed
    .filter((type) => !PER_USER.includes(type))
    .filter(isWatched)
    .map((type) => ({ kind: 'touched', type, id: ids.get(type) ?? null }));
}

/** The ids in a path, by type. */
function idsOf(params: unknown): Map<WatchedResource, string> {
  const ids = new Map<WatchedResource, string>();
  for (const [name, value] of Object.entries((params ?? {}) as Record<string, unknown>)) {
    for (const type of RESOURCES_OF_PARAMS[name] ?? []) ids.set(type, String(value));
  }
  return ids;
}

/** A POST to a collection creates its first resource. Administrators may do so for another project. */
function createdBy(
  { access, auditedIds, method, path }: Write['endpoint'],
  input: EndpointInput,
  body: Body,
): { id: string; state: string | null } | null {
  if (method !== 'POST' || path.includes(':') || access === 'admin') return null;
  const id = idIn(body) ?? auditedIds?.(body, input)[0];
  if (id === undefined) return null;
  return { id, state: typeof body?.status === 'string' ? body.status : null };
}

function idIn(body: Body): string | null {
  return typeof body?.id === 'string' ? body.id : null;
}

/** Whether the path ends with the id of the resource. */
function isDeletionOf({ access, method, path }: Write['endpoint'], type: WatchedResource): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const resources = name.startsWith(':') ? RESOURCES_OF_PARAMS[name.slice(1)] : undefined;
  return access !== 'admin' && method === 'DELETE' && resources?.includes(type) === true;
}
