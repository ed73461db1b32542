import { collectPages } from '../pagination.ts';
import { integerOr, key, numberOr, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path, queryString } from '../url.ts';

/** The usage of a server in a period. Memory in MiB, disk in GiB. */
const serverUsage = declareRecord('compute', 'server_usage', {
  instance_id: key(),
  name: text(),
  /** `terminated` for a deleted server. */
  state: text('unknown'),
  vcpus: integerOr(0),
  memory_mb: integerOr(0),
  local_gb: integerOr(0),
  /** Only within the period. */
  hours: numberOr(0),
});

export type ServerUsage = RecordOf<typeof serverUsage>;

/** The start must be before the end. */
export interface UsagePeriod {
  start: Date;
  end: Date;
}

interface UsagePage {
  /** Empty for a project without servers in the period. */
  tenant_usage?: { server_usages?: unknown } | null;
  tenant_usage_links?: unknown;
}

export class UsageReader {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** The usage of all servers that existed in the period, including deleted servers. */
  listServers(projectId: string, { start, end }: UsagePeriod): Promise<ServerUsage[]> {
    const operation = 'usage.list';
    const usagePath = path`/os-simple-tenant-usage/${projectId}`;
    const fetchPage = async (search: string) => {
      const page = await this.#compute.get<UsagePage>(operation, usagePath + search);
      return {
        tenant_usage: this.#compute.readRows(serverUsage, page.tenant_usage?.server_usages ?? []),
        tenant_usage_links: page.tenant_usage_links,
      };
    };
    const search = queryString({ start: withoutZone(start), end: withoutZone(end) });
    const context = { service: this.#compute.service, operation };
    return collectPages<ServerUsage>(fetchPage, 'tenant_usage', search, context);
  }
}

/** The service expects UTC times without a time zone. */
function withoutZone(time: Date): string {
  return time.toISOString().replace('Z', '');
}
