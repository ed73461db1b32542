import type { ServiceClient } from '../service.ts';
import { Containers } from './containers.ts';
import { ContainerServices } from './services.ts';

export * from './containers.ts';
export * from './services.ts';

export class ContainerClient {
  readonly containers: Containers;
  readonly services: ContainerServices;

  constructor(container: ServiceClient) {
    this.containers = new Containers(container);
    this.services = new ContainerServices(container);
  }
}
