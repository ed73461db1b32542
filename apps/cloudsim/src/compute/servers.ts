import { notFound } from '../common/service-error.ts';
import { findOwned } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import type { Server } from './state.ts';

/** The server in the path. Only administrators can read servers of other projects. */
export function findServer(call: ComputeCall): Server {
  return findOwned(call.cloud.compute.servers, call.caller, call.params.id ?? '', (id) =>
    notFound(`Instance ${id} could not be found.`),
  );
}

/** Filters by the query: name (a regular expression), status, and some plain fields. */
export function filterServers(
  cloud: ComputeCloud,
  query: URLSearchParams,
  projectId: string | null,
): Server[] {
  const name = query.get('name');
  const pattern = name === null ? undefined : safePattern(name);
  const statuses = query.getAll('status').map((status) => status.toUpperCase());
  const kept: Server[] = [];
  for (const server of cloud.compute.servers.values()) {
    if (projectId !== null && server.projectId !== projectId) continue;
    if (pattern !== undefined && !pattern.test(server.name)) continue;
    if (statuses.length > 0 && !statuses.includes(server.status)) continue;
    if (matchesFields(server, query)) kept.push(server);
  }
  return kept.reverse();
}

function safePattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  }
}

function matchesFields(server: Server, query: URLSearchParams): boolean {
  const same = (key: string, value: string | null) => !query.has(key) || query.get(key) === value;
  const tags = query.get('tags')?.split(',') ?? [];
  const changed = query.get('changes-since');
  return (
    same('uuid', server.id) &&
    same('user_id', server.userId) &&
    same('image', server.imageId) &&
    same('flavor', server.flavor.id) &&
    same('host', server.host) &&
    same('key_name', server.keyName) &&
    tags.every((tag) => server.tags.includes(tag)) &&
    (changed === null || server.updatedMs >= Date.parse(changed))
  );
}
