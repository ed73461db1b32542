import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AdminProject, Group, Role, User } from '@gateway/resources';
import { AdminStack } from './admin-stack.ts';

export function freshName(kind: string): string {
  return `e2e-${kind}-${randomUUID()}`;
}

type Holder = { user_id: string } | { group_id: string };

/** Users, projects, groups and roles of a suite, created through the gateway and removed at its end. */
export class IdentitySuite extends AdminStack {
  static override async start(options?: Parameters<typeof AdminStack.start>[0]): Promise<IdentitySuite> {
    return new IdentitySuite(await AdminStack.prepare(options));
  }

  makeUser(more: object = {}): Promise<User> {
    return this.make<User>('/api/admin/users', { name: freshName('user'), ...more });
  }

  makeProject(more: object = {}): Promise<AdminProject> {
    return this.make<AdminProject>('/api/admin/projects', { name: freshName('project'), ...more });
  }

  makeGroup(more: object = {}): Promise<Group> {
    return this.make<Group>('/api/admin/groups', { name: freshName('group'), ...more });
  }

  async roleId(name: string): Promise<string> {
    const found = (await this.read<Role[]>('/api/admin/roles')).find((role) => role.name === name);
    return found?.id ?? assert.fail(`There is no role ${name}.`);
  }

  assign(holder: Holder, projectId: string, roleId: string): Promise<unknown> {
    return this.change(200, 'POST', pathOf(holder), { ...holder, project_id: projectId, role_id: roleId });
  }

  revoke(holder: Holder, projectId: string, roleId: string): Promise<unknown> {
    const query = new URLSearchParams({ ...holder, project_id: projectId, role_id: roleId });
    return this.change(200, 'DELETE', `${pathOf(holder)}?${query}`);
  }
}

function pathOf(holder: Holder): string {
  return `/api/admin/roles/assign${'group_id' in holder ? '-group' : ''}`;
}
