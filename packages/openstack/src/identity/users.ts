import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface UserRecord {
  id: string;
  name: string;
  domain_id: string;
  enabled: boolean;
  email?: string | null;
  description?: string;
  default_project_id?: string | null;
  password_expires_at: string | null;
}

export type UserQuery = { name?: string; domain_id?: string; enabled?: boolean };

export class Users {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  /** For administrators. */
  list(query?: UserQuery): Promise<UserRecord[]> {
    return this.#identity.list('users.list', '/users', 'users', query);
  }

  /** Users may read themselves; administrators may read any user. */
  get(id: string): Promise<UserRecord> {
    return this.#identity.getRecord('users.get', path`/users/${id}`, 'user');
  }

  /** Throws a 401 if the current password is wrong, a 400 with the policy's text if the new one violates it. */
  changePassword(id: string, passwords: { current: string; new: string }): Promise<void> {
    return this.#identity.postVoid('users.changePassword', path`/users/${id}/password`, {
      user: { original_password: passwords.current, password: passwords.new },
    });
  }
}
