import type { BoundClient, ProjectRecord } from '@gateway/openstack';
import { CachedList } from '../cached-list.ts';
import { type IdentitySearch, queryOf } from './identity-search.ts';
import { sortedByName } from './sorted-by-name.ts';

/** A project for administrators. */
export interface AdminProject {
  id: string;
  name: string;
  description: string;
  enabled: boolean;
  domain_id: string;
  /** The service does not record the time. */
  created_at: null;
}

export interface ProjectName {
  id: string;
  name: string;
}

export function presentAdminProject(project: ProjectRecord): AdminProject {
  return {
    id: project.id,
    name: project.name,
    description: project.description ?? '',
    enabled: project.enabled,
    domain_id: project.domain_id,
    created_at: null,
  };
}

/** The projects that the identity service finds, sorted by name. */
export async function findProjects(openstack: BoundClient, search: IdentitySearch): Promise<AdminProject[]> {
  return sortedByName((await openstack.identity.projects.list(queryOf(search))).map(presentAdminProject));
}

/** All projects of the cloud, sorted by name. */
export const projectList = new CachedList<AdminProject[]>({
  name: 'projects',
  varyBy: 'nothing',
  dependsOn: ['project'],
  lifetime: 'adminSeconds',
  load: ({ openstack }) => findProjects(openstack, {}),
});

/** The names of all projects of the cloud, sorted. */
export const projectNameList = new CachedList<ProjectName[]>({
  name: 'projectNames',
  varyBy: 'nothing',
  dependsOn: ['project'],
  lifetime: 'namesSeconds',
  load: async ({ openstack }) =>
    sortedByName((await openstack.identity.projects.list()).map(({ id, name }) => ({ id, name }))),
});
