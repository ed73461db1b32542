import type { ServiceClient } from '../service.ts';
import { Providers } from './providers.ts';

export * from './providers.ts';

export class PlacementClient {
  readonly providers: Providers;

  constructor(placement: ServiceClient) {
    this.providers = new Providers(placement);
  }
}
