import type { ServiceClient } from '../service.ts';
import { Secrets } from './secrets.ts';

export * from './secrets.ts';

export class KeyManagerClient {
  readonly secrets: Secrets;

  constructor(keyManager: ServiceClient) {
    this.secrets = new Secrets(keyManager);
  }
}
