import type { ServiceClient } from '../service.ts';
import { IdentityCollection, type NameSearch } from './identity-collection.ts';

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

type ProjectQuery = NameSearch & { domain_id?: string; enabled?: boolean };

interface ProjectCreate {
  name: string;
  description?: string;
  /** Defaults to the domain of the token's project. */
  domain_id?: string;
  enabled?: boolean;
}

/**
 * If another project of the domain has the new name, some releases close the connection instead
 * of responding with 409.
 */
type ProjectUpdate = Partial<Omit<ProjectCreate, 'domain_id'>>;

/** The projects of the cloud. Users may also read the projects in which they have a role. */
export class Projects extends IdentityCollection<ProjectRecord, ProjectCreate, ProjectUpdate, ProjectQuery> {
  constructor(identity: ServiceClient) {
    super(identity, 'projects', 'project');
  }

  /** Projects in which the user has a role. */
  listMine(): Promise<ProjectRecord[]> {
    return this.service.list('projects.listMine', '/auth/projects', 'projects');
  }
}
