import { notFound } from '@gateway/core';
import { flag, key, listOf, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { IdentityCollection, type NameSearch } from './identity-collection.ts';

const projectRecord = declareRecord('identity', 'project', {
  id: key(),
  name: text(),
  domain_id: text(),
  description: text(),
  enabled: flag(true),
  parent_id: textOrNull(),
  /** A domain, which the service keeps as a project. Its lists leave these out. */
  is_domain: flag(false),
  tags: listOf(key()),
});

export type ProjectRecord = RecordOf<typeof projectRecord>;

type ProjectQuery = NameSearch & { domain_id?: string; enabled?: boolean; parent_id?: string };

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
    super(identity, 'projects', 'project', projectRecord);
  }

  /**
   * The service takes the id of a domain for that of a project, also in writes: it would disable or delete
   * the domain with all its projects, users and groups. So read a project before you change it.
   *
   * @throws 404 also for a domain
   */
  override async get(id: string): Promise<ProjectRecord> {
    const project = await super.get(id);
    if (project.is_domain) throw notFound('There is no such project: the id is that of a domain.');
    return project;
  }

  /** Projects in which the user has a role. */
  listMine(): Promise<ProjectRecord[]> {
    return this.service.list('projects.listMine', '/auth/projects', 'projects', projectRecord);
  }
}
