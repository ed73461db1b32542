import { key } from '../records/fields.ts';
import { declareRecord } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

const extensionRecord = declareRecord('network', 'extension', { alias: key() });

/** What the network service offers beyond its core. */
export class Extensions {
  readonly #network: ServiceClient;

  constructor(network: ServiceClient) {
    this.#network = network;
  }

  /** Whether floating IPs and other resources have descriptions, by which the gateway marks its own. */
  hasDescriptions(): Promise<boolean> {
    return this.has('standard-attr-description');
  }

  async has(wanted: string): Promise<boolean> {
    const extensions = await this.#network.list(
      'extensions.list',
      '/extensions',
      'extensions',
      extensionRecord,
    );
    return extensions.some(({ alias }) => alias === wanted);
  }
}
