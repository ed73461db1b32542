import { integerOr, part } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/** The project's quotas and usage. A quota of -1, also one that the service does not say, is unlimited. */
const computeLimits = declareRecord('compute', 'limits', {
  absolute: part({
    maxTotalInstances: integerOr(-1),
    maxTotalCores: integerOr(-1),
    /** MiB. */
    maxTotalRAMSize: integerOr(-1),
    maxTotalKeypairs: integerOr(-1),
    maxServerGroups: integerOr(-1),
    maxServerGroupMembers: integerOr(-1),
    maxServerMeta: integerOr(-1),
    totalInstancesUsed: integerOr(0),
    totalCoresUsed: integerOr(0),
    totalRAMUsed: integerOr(0),
    totalServerGroupsUsed: integerOr(0),
  }),
});

export type ComputeLimits = RecordOf<typeof computeLimits>['absolute'];

/** Selects another project. For administrators. */
type ComputeLimitsQuery = { tenant_id?: string };

export class ComputeLimitsReader {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  async get(query?: ComputeLimitsQuery): Promise<ComputeLimits> {
    const { absolute } = await this.#compute.getRecord(
      'limits.get',
      '/limits',
      'limits',
      computeLimits,
      query,
    );
    return absolute;
  }
}
