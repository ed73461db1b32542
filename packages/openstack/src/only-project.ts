import type { ServiceName } from '@gateway/config';
import { notFound } from '@gateway/core';
import type { Identity } from './credentials/identity.ts';

/** Whose resources exist for a client that is bound to one project. See decision 88. */
export interface OnlyProject {
  projectId: string;
  /** Who has it sees the resources of all projects. */
  adminRole: string;
}

/**
 * Resources that tell their project: what jobs remove. Others, such as secrets and application credentials, can not pass into
 * another project, or are shown to their own project only.
 */
const RESOURCES: Partial<Record<ServiceName, readonly string[]>> = {
  compute: ['/servers/'],
  blockStorage: ['/volumes/', '/snapshots/', '/backups/'],
  loadBalancer: ['/lbaas/loadbalancers/'],
  network: ['/ports/', '/floatingips/', '/security-groups/'],
  sharedFileSystem: ['/shares/'],
};

const LEADING_ID = /^[0-9a-f-]{32,36}(?![^/?])/i;

/** The path of the resource that a request reads or changes; null for none that tells its project. */
export function resourcePath(service: ServiceName, target: string): string | null {
  const collection = RESOURCES[service]?.find((prefix) => target.startsWith(prefix));
  if (collection === undefined) return null;
  const [id] = LEADING_ID.exec(target.slice(collection.length)) ?? [];
  return id === undefined ? null : collection + id;
}

/** Whether the services would let the identity change what belongs to another project. */
export function reachesOtherProjects(identity: Identity, { adminRole }: OnlyProject): boolean {
  return identity.actingForProjectId !== undefined || identity.roles.includes(adminRole);
}

const PROJECT_KEYS = [
  'os-vol-tenant-attr:tenant_id',
  'os-extended-snapshot-attributes:project_id',
  'os-backup-project-attr:project_id',
  'project_id',
  'tenant_id',
];

/**
 * @param body the response to the read of a resource, with the record under its only key
 * @throws 404 for a record of another project. One without a project was shown because it belongs to the reader's
 */
export function requireInProject(body: unknown, { projectId }: OnlyProject): void {
  const [record] = Object.values((body ?? {}) as Record<string, Record<string, unknown> | null>);
  const key = PROJECT_KEYS.find((name) => typeof record?.[name] === 'string');
  if (key !== undefined && record?.[key] !== projectId) {
    throw notFound('There is no such resource in the project.');
  }
}
