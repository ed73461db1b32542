import type { ServiceClient } from '../service.ts';
import { ClusterTemplates } from './cluster-templates.ts';
import { Clusters } from './clusters.ts';
import { ContainerInfraServices } from './services.ts';

export * from './cluster-templates.ts';
export * from './clusters.ts';
export * from './explain-missing.ts';
export * from './services.ts';

export class ContainerInfraClient {
  readonly clusters: Clusters;
  readonly clusterTemplates: ClusterTemplates;
  readonly services: ContainerInfraServices;

  constructor(containerInfra: ServiceClient) {
    this.clusters = new Clusters(containerInfra);
    this.clusterTemplates = new ClusterTemplates(containerInfra);
    this.services = new ContainerInfraServices(containerInfra);
  }
}
