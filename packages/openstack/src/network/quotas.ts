import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** Quotas of a project by resource (`port`, `floatingip`, …), as far as the service knows the resource. */
export type NetworkQuotas = Record<string, NetworkQuota | undefined>;

export interface NetworkQuota {
  /** -1 is unlimited. */
  limit: number;
  used: number;
  /** For requests that the service is still working on. */
  reserved: number;
}

export class NetworkQuotasReader {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  /** Of the caller's own project; of any for administrators. */
  async get(projectId: string): Promise<NetworkQuotas> {
    const answer = await this.#network.get<{ quota: NetworkQuotas }>(
      'quotas.get',
      path`/quotas/${projectId}/details.json`,
    );
    return answer.quota;
  }
}
