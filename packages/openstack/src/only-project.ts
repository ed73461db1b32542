import { notFound } from '@gateway/core';
import type { Identity } from './credentials/identity.ts';

/** The project to which a client is limited. Resources of other projects are not found. See decision 88. */
export interface OnlyProject {
  projectId: string;
  /** With this role, an identity sees the resources of all projects. */
  adminRole: string;
  paths: ProjectPaths;
}

/**
 * The paths of a service, such as `/volumes/`, of resources that jobs remove and whose records contain their
 * project. Others, such as secrets and application credentials, cannot move to another project, or are
 * visible only to their own project.
 */
export type ProjectPaths = readonly string[];

const LEADING_ID = /^[0-9a-f-]{32,36}(?![^/?])/i;

/** The path of the resource that a request reads or changes; null if its record contains no project. */
export function resourcePath({ paths }: OnlyProject, target: string): string | null {
  const collection = paths.find((prefix) => target.startsWith(prefix));
  if (collection === undefined) return null;
  const [id] = LEADING_ID.exec(target.slice(collection.length)) ?? [];
  return id === undefined ? null : collection + id;
}

/**
 * Whether a path is the list of a collection whose resources belong to one project each.
 *
 * @param path may begin with the path of the service
 */
export function listedCollection({ paths }: OnlyProject, path: string): boolean {
  const list = path.replace(/\/detail$/, '');
  return paths.some((prefix) => list.endsWith(prefix.slice(0, -1)));
}

/** Whether the services allow the identity to change resources of other projects. */
export function reachesOtherProjects(
  identity: Identity,
  { adminRole }: Pick<OnlyProject, 'adminRole'>,
): boolean {
  return identity.actingForProjectId !== undefined || identity.roles.includes(adminRole);
}

/** The fields of records that have their project. */
export const PROJECT_KEYS = [
  'os-vol-tenant-attr:tenant_id',
  'os-extended-snapshot-attributes:project_id',
  'os-backup-project-attr:project_id',
  'project_id',
  'tenant_id',
];

/**
 * @param body the response to the read of a resource, with the record under its only key
 * @throws 404 for a record of another project. A record without a project is only visible in its own project
 */
export function requireInProject(body: unknown, { projectId }: OnlyProject): void {
  const [record] = Object.values((body ?? {}) as Record<string, Record<string, unknown> | null>);
  const key = PROJECT_KEYS.find((name) => (record?.[name] ?? null) !== null);
  if (key !== undefined && record?.[key] !== projectId) {
    throw notFound('There is no such resource in the project.');
  }
}
