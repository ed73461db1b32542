import type { ServiceClient } from '../service.ts';
import { Containers } from './containers.ts';

export * from './containers.ts';

export class ContainerClient {
  readonly containers: Containers;

  constructor(container: ServiceClient) {
    this.containers = new Containers(container);
  }
}
