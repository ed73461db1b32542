import type { ServiceClient } from '../service.ts';
import { Clusters } from './clusters.ts';
import { ContainerInfraServices } from './services.ts';

export * from './clusters.ts';
export * from './services.ts';

export class ContainerInfraClient {
  readonly clusters: Clusters;
  readonly services: ContainerInfraServices;

  constructor(containerInfra: ServiceClient) {
    this.clusters = new Clusters(containerInfra);
    this.services = new ContainerInfraServices(containerInfra);
  }
}
