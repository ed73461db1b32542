import type { ServiceClient } from '../service.ts';
import { Clusters } from './clusters.ts';

export * from './clusters.ts';

export class ContainerInfraClient {
  readonly clusters: Clusters;

  constructor(containerInfra: ServiceClient) {
    this.clusters = new Clusters(containerInfra);
  }
}
