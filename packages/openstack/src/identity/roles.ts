import { path } from '../path.ts';
import type { Query } from '../query.ts';
import type { ServiceClient } from '../service.ts';

export interface RoleRecord {
  id: string;
  name: string;
  /** Null for a role of all domains. */
  domain_id: string | null;
}

/** A role in a project, of a user or of a group. */
export interface RoleGrant {
  projectId: string;
  holder: 'user' | 'group';
  holderId: string;
  roleId: string;
}

interface Reference {
  id: string;
  /** With `include_names`. */
  name?: string;
}

/** Either `user` or `group` is present. */
export interface RoleAssignmentRecord {
  role: Reference;
  user?: Reference;
  group?: Reference;
  scope: {
    project?: Reference;
    /** Present if the role applies to the child projects, and not to the project itself. */
    'OS-INHERIT:inherited_to'?: string;
  };
}

export class Roles {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  /** The roles that belong to no domain. */
  list(): Promise<RoleRecord[]> {
    return this.#identity.list('roles.list', '/roles', 'roles');
  }

  /** The roles assigned in a project, with names. Empty for an unknown project. */
  listAssignments(projectId: string): Promise<RoleAssignmentRecord[]> {
    return this.#identity.list('roles.listAssignments', '/role_assignments', 'role_assignments', {
      'scope.project.id': projectId,
      include_names: true,
    });
  }

  /** The ids of the users who have a role in a project, including roles from groups and inherited roles. */
  listUserIds(projectId: string): Promise<string[]> {
    return this.#listUserIds({ 'scope.project.id': projectId, effective: true });
  }

  /** The same for all projects of a domain, which is their common ancestor. */
  listUserIdsOfDomain(domainId: string): Promise<string[]> {
    return this.#listUserIds({ 'scope.project.id': domainId, effective: true, include_subtree: true });
  }

  /** Has no effect if the role is already granted. */
  grant(grant: RoleGrant): Promise<void> {
    return this.#identity.requestVoid('PUT', 'roles.grant', pathOf(grant), { idempotent: true });
  }

  /** Throws a 404 if the role is not granted. */
  revoke(grant: RoleGrant): Promise<void> {
    return this.#identity.remove('roles.revoke', pathOf(grant));
  }

  async #listUserIds(query: Query): Promise<string[]> {
    const assignments = await this.#identity.list<RoleAssignmentRecord>(
      'roles.listUserIds',
      '/role_assignments',
      'role_assignments',
      query,
    );
    return [...new Set(assignments.flatMap(({ user }) => user?.id ?? []))];
  }
}

function pathOf({ projectId, holder, holderId, roleId }: RoleGrant): string {
  const project = path`/projects/${projectId}`;
  return (
    project +
    (holder === 'user' ? path`/users/${holderId}` : path`/groups/${holderId}`) +
    path`/roles/${roleId}`
  );
}
