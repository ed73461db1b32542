import type { ServiceName } from '@gateway/config';

/**
 * Lists in which an administrator sees his own project only, unless he asks for all (or, in the network service, all
 * without asking). The services refuse `all_tenants` from anybody else.
 */
const lists: Partial<Record<ServiceName, { path: RegExp; filter: Record<string, string> }>> = {
  compute: { path: /^\/servers\/detail$/, filter: { all_tenants: '1' } },
  blockStorage: { path: /^\/(?:[a-z_-]+\/detail|attachments)$/, filter: { all_tenants: '1' } },
  sharedFileSystem: { path: /^\/[a-z_-]+\/detail$/, filter: { all_tenants: '1' } },
  network: { path: /^\/[a-z_-]+$/, filter: {} },
};

/**
 * The path and query by which an administrator lists what a member of the project would see. Other paths name one
 * thing by its id, and stay as they are.
 */
export function heldToProject(service: ServiceName, target: string, projectId: string): string {
  const [path = '', search = ''] = target.split('?');
  const list = lists[service];
  if (list === undefined || !list.path.test(path)) return target;
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(list.filter)) params.set(name, value);
  params.set('project_id', projectId);
  return `${path}?${params}`;
}
