import { AvailabilityZones } from '../availability-zones.ts';
import type { ProjectPaths } from '../only-project.ts';
import type { ServiceClient } from '../service.ts';
import { Flavors } from './flavors.ts';
import { Hypervisors } from './hypervisors.ts';
import { Interfaces } from './interfaces.ts';
import { Keypairs } from './keypairs.ts';
import { ComputeLimitsReader } from './limits.ts';
import { Migrations } from './migrations.ts';
import { ComputeQuotasClient } from './quotas.ts';
import { ServerGroups } from './server-groups.ts';
import { Servers } from './servers.ts';
import { ComputeServices } from './services.ts';
import { UsageReader } from './usage.ts';
import { VolumeAttachments } from './volume-attachments.ts';

export * from './boot-volume-id.ts';
export * from './down-cell.ts';
export * from './flavors.ts';
export * from './holds-resources.ts';
export * from './hypervisors.ts';
export * from './interfaces.ts';
export * from './is-being-deleted.ts';
export * from './keypairs.ts';
export * from './limits.ts';
export * from './migrations.ts';
export * from './quotas.ts';
export * from './server-fault.ts';
export * from './server-groups.ts';
export * from './server-records.ts';
export * from './servers.ts';
export * from './services.ts';
export * from './usage.ts';
export * from './volume-attachments.ts';

export class ComputeClient {
  static readonly projectPaths: ProjectPaths = ['/servers/'];

  readonly servers: Servers;
  readonly serverGroups: ServerGroups;
  readonly flavors: Flavors;
  readonly keypairs: Keypairs;
  readonly volumeAttachments: VolumeAttachments;
  readonly interfaces: Interfaces;
  readonly limits: ComputeLimitsReader;
  readonly quotas: ComputeQuotasClient;
  readonly usage: UsageReader;
  readonly availabilityZones: AvailabilityZones;
  readonly hypervisors: Hypervisors;
  readonly services: ComputeServices;
  readonly migrations: Migrations;

  constructor(compute: ServiceClient) {
    this.servers = new Servers(compute);
    this.serverGroups = new ServerGroups(compute);
    this.flavors = new Flavors(compute);
    this.keypairs = new Keypairs(compute);
    this.volumeAttachments = new VolumeAttachments(compute);
    this.interfaces = new Interfaces(compute);
    this.limits = new ComputeLimitsReader(compute);
    this.quotas = new ComputeQuotasClient(compute);
    this.usage = new UsageReader(compute);
    this.availabilityZones = new AvailabilityZones(compute);
    this.hypervisors = new Hypervisors(compute);
    this.services = new ComputeServices(compute);
    this.migrations = new Migrations(compute);
  }
}
