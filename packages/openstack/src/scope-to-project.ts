import type { ServiceName } from '@gateway/platform';

/**
 * Lists in which an administrator sees only their own project, unless the query asks for all projects. (The
 * network service lists all projects by default.) The services reject `all_tenants` from other users.
 */
const LISTS: Partial<Record<ServiceName, { path: RegExp; filter: Record<string, string> }>> = {
  compute: { path: /^\/servers(?:\/detail)?$/, filter: { all_tenants: '1' } },
  blockStorage: { path: /^\/(?:[a-z_-]+\/detail|attachments)$/, filter: { all_tenants: '1' } },
  sharedFileSystem: { path: /^\/[a-z_-]+\/detail$/, filter: { all_tenants: '1' } },
  network: { path: /^\/[a-z_-]+$/, filter: {} },
};

/**
 * Adds the query with which an administrator lists the resources of this project, as a member of the project
 * would. Paths of single resources stay unchanged.
 */
export function scopeToProject(service: ServiceName, target: string, projectId: string): string {
  const [path = '', search = ''] = target.split('?');
  const list = LISTS[service];
  if (list === undefined || !list.path.test(path)) return target;
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(list.filter)) params.set(name, value);
  params.set('project_id', projectId);
  // With a count, the shared file system service ignores the project.
  params.delete('with_count');
  return `${path}?${params}`;
}
