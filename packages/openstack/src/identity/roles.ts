import { item, key, part, partOrNull, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path, type Query } from '../url.ts';

const roleRecord = declareRecord('identity', 'role', {
  id: key(),
  name: text(),
  /** Null for a role of all domains. */
  domain_id: textOrNull(),
});

export type RoleRecord = RecordOf<typeof roleRecord>;

/** A role in a project, of a user or of a group. */
export interface RoleGrant {
  projectId: string;
  holder: 'user' | 'group';
  holderId: string;
  roleId: string;
}

/** With names if they are asked for; those of external directories may have none. */
const reference = { id: key(), name: text() };

/** Either `user` or `group` is not null. */
const roleAssignmentRecord = declareRecord('identity', 'role_assignment', {
  role: item(reference),
  user: partOrNull(reference),
  group: partOrNull(reference),
  scope: part({
    project: partOrNull(reference),
    /** Not null if the role applies to the child projects, and not to the project itself. */
    'OS-INHERIT:inherited_to': textOrNull(),
  }),
});

export type RoleAssignmentRecord = RecordOf<typeof roleAssignmentRecord>;

export class Roles {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  /** The roles that belong to no domain. */
  list(): Promise<RoleRecord[]> {
    return this.#identity.list('roles.list', '/roles', 'roles', roleRecord);
  }

  /** The roles assigned in a project, with names. Empty for an unknown project. */
  listAssignments(projectId: string): Promise<RoleAssignmentRecord[]> {
    return this.#listAssignments('roles.listAssignments', {
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
    const assignments = await this.#listAssignments('roles.listUserIds', query);
    return [...new Set(assignments.flatMap(({ user }) => user?.id ?? []))];
  }

  #listAssignments(operation: string, query: Query): Promise<RoleAssignmentRecord[]> {
    const url = '/role_assignments';
    return this.#identity.list(operation, url, 'role_assignments', roleAssignmentRecord, query);
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
