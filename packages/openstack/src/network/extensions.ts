import { UpstreamError } from '../errors/index.ts';
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

  /**
   * The result of a call to what an extension adds, or that of `otherwise` in a cloud without it. There the
   * service answers as to any path that it does not have, which can be a 404 in its own words; so may a
   * proxy.
   */
  async unlessLacking<T>(extension: string, call: Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.upstreamStatus !== 404) throw error;
      if (await this.has(extension)) throw error;
      return otherwise();
    }
  }
}
