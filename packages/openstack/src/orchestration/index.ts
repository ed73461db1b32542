import type { ServiceClient } from '../service.ts';
import { OrchestrationServices } from './services.ts';

export * from './services.ts';

export class OrchestrationClient {
  readonly services: OrchestrationServices;

  constructor(orchestration: ServiceClient) {
    this.services = new OrchestrationServices(orchestration);
  }
}
