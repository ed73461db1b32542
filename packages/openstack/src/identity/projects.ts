import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface ProjectRecord {
  id: string;
  name: string;
  domain_id: string;
  description: string;
  enabled: boolean;
  parent_id: string | null;
  is_domain: boolean;
  tags: string[];
}

export type ProjectQuery = { name?: string; domain_id?: string; enabled?: boolean };

export class Projects {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  /** Projects in which the user has a role. */
  listMine(): Promise<ProjectRecord[]> {
    return this.#identity.list('projects.listMine', '/auth/projects', 'projects');
  }

  /** All projects of the cloud; for administrators. */
  list(query?: ProjectQuery): Promise<ProjectRecord[]> {
    return this.#identity.list('projects.list', '/projects', 'projects', query);
  }

  get(id: string): Promise<ProjectRecord> {
    return this.#identity.getRecord('projects.get', path`/projects/${id}`, 'project');
  }
}
