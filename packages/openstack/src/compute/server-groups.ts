import { integerOrNull, key, listOf, part, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

export const serverGroupPolicies = [
  'affinity',
  'anti-affinity',
  'soft-affinity',
  'soft-anti-affinity',
] as const;

export type ServerGroupPolicy = (typeof serverGroupPolicies)[number];

const serverGroupRecord = declareRecord('compute', 'server_group', {
  id: key(),
  name: text(),
  project_id: text(),
  policy: text(),
  /** How many servers of an `anti-affinity` group may share a host; null for one. */
  rules: part({ max_server_per_host: integerOrNull() }),
  /** Ids of servers. */
  members: listOf(key()),
});

export type ServerGroupRecord = RecordOf<typeof serverGroupRecord>;

/** Groups of servers that run on one host, or on different hosts. */
export class ServerGroups {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** The project's own. */
  list(): Promise<ServerGroupRecord[]> {
    return this.#compute.list('serverGroups.list', '/os-server-groups', 'server_groups', serverGroupRecord);
  }

  get(id: string): Promise<ServerGroupRecord> {
    return this.#compute.getRecord(
      'serverGroups.get',
      path`/os-server-groups/${id}`,
      'server_group',
      serverGroupRecord,
    );
  }

  create(group: { name: string; policy: ServerGroupPolicy }): Promise<ServerGroupRecord> {
    return this.#compute.postRecord(
      'serverGroups.create',
      '/os-server-groups',
      'server_group',
      serverGroupRecord,
      {
        server_group: group,
      },
    );
  }

  remove(id: string): Promise<void> {
    return this.#compute.remove('serverGroups.remove', path`/os-server-groups/${id}`);
  }
}
