import type { ServiceClient } from '../service.ts';

/** What the network service offers beyond its core. */
export class Extensions {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  /** Whether floating IPs and other resources have descriptions, by which the gateway marks its own. */
  async hasDescriptions(): Promise<boolean> {
    const extensions = await this.#network.list<{ alias: string }>(
      'extensions.list',
      '/extensions',
      'extensions',
    );
    return extensions.some(({ alias }) => alias === 'standard-attr-description');
  }
}
