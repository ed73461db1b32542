import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** Quotas of a project by resource (`port`, `floatingip`, …), without resources of missing extensions. */
export type NetworkQuotas = Record<string, NetworkQuota | undefined>;

export interface NetworkQuota {
  /** -1 is unlimited. */
  limit: number;
  used: number;
  /** Reserved by requests in progress. */
  reserved: number;
}

export class NetworkQuotasReader {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  /** Users may read the quotas of their own project, administrators those of any project. */
  get(projectId: string): Promise<NetworkQuotas> {
    return this.#network.getRecord<NetworkQuotas>(
      'quotas.get',
      path`/quotas/${projectId}/details.json`,
      'quota',
    );
  }
}
