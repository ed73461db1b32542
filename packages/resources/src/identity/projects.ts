import type { ProjectRecord } from '@gateway/openstack';
import { CachedList, type ListSources } from '../lists/cached-list.ts';
import type { ByScope } from '../lists/lists-by-scope.ts';
import { addNames, type NameSource, namesFrom, ownProjectName } from '../lists/names.ts';
import type { AdminProject, ProjectName } from './admin-project-shape.ts';
import { allDomainNames } from './domains.ts';
import { type IdentitySearch, queryOf } from './identity-search.ts';
import { sortedByName } from './sorted-by-name.ts';

export function presentAdminProject(project: ProjectRecord): AdminProject {
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    enabled: project.enabled,
    domain_id: project.domain_id,
    domain_name: null,
    created_at: null,
  };
}

/** The projects that the identity service finds, sorted by name. */
export async function findProjects(sources: ListSources, search: IdentitySearch): Promise<AdminProject[]> {
  const found = await sources.openstack.identity.projects.list(queryOf(search));
  return addNames(sources, sortedByName(found.map(presentAdminProject)), { domain_id: allDomainNames });
}

/** All projects of the cloud, sorted by name. */
export const projectList = new CachedList<AdminProject[]>({
  name: 'projects',
  varyBy: 'nothing',
  dependsOn: ['project', 'domain'],
  lifetime: 'adminSeconds',
  load: (sources) => findProjects(sources, {}),
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

/** For lists that only administrators read. */
export const allProjectNames = namesFrom(projectNameList);

/** Members of a project know only its own name. */
export const projectNames: ByScope<NameSource> = { project: ownProjectName, cloud: allProjectNames };

/** `projectNames` by the rights of the reader. For lists that vary at least by roles. */
export const visibleProjectNames: NameSource = async (sources, ids) => {
  const own = await ownProjectName(sources, ids);
  const isOwn = [...ids].every((id) => own.has(id));
  if (isOwn || !sources.isAdministrator) return own;
  return new Map([...(await allProjectNames(sources, ids)), ...own]);
};
