import type { ProjectPaths } from '../only-project.ts';
import type { ServiceClient } from '../service.ts';
import { AccessRules } from './access-rules.ts';
import { ExportLocations } from './export-locations.ts';
import { SharedFileSystemLimitsReader } from './limits.ts';
import { ShareQuotasClient } from './quotas.ts';
import { SecurityServices } from './security-services.ts';
import { SharedFileSystemServices } from './services.ts';
import { ShareNetworks } from './share-networks.ts';
import { ShareSnapshots } from './share-snapshots.ts';
import { ShareTypes } from './share-types.ts';
import { Shares } from './shares.ts';

export * from './access-rules.ts';
export * from './export-locations.ts';
export * from './limits.ts';
export * from './quotas.ts';
export * from './security-services.ts';
export * from './services.ts';
export * from './share-networks.ts';
export * from './share-snapshots.ts';
export * from './share-types.ts';
export * from './shares.ts';

export class SharedFileSystemClient {
  static readonly projectPaths: ProjectPaths = [
    '/shares/',
    '/snapshots/',
    '/share-networks/',
    '/security-services/',
  ];

  readonly shares: Shares;
  readonly accessRules: AccessRules;
  readonly exportLocations: ExportLocations;
  readonly shareTypes: ShareTypes;
  readonly shareNetworks: ShareNetworks;
  readonly securityServices: SecurityServices;
  readonly snapshots: ShareSnapshots;
  readonly limits: SharedFileSystemLimitsReader;
  readonly quotas: ShareQuotasClient;
  readonly services: SharedFileSystemServices;

  constructor(sharedFileSystem: ServiceClient) {
    this.shares = new Shares(sharedFileSystem);
    this.accessRules = new AccessRules(sharedFileSystem);
    this.exportLocations = new ExportLocations(sharedFileSystem);
    this.snapshots = new ShareSnapshots(sharedFileSystem);
    this.shareTypes = new ShareTypes(sharedFileSystem);
    this.shareNetworks = new ShareNetworks(sharedFileSystem);
    this.securityServices = new SecurityServices(sharedFileSystem);
    this.limits = new SharedFileSystemLimitsReader(sharedFileSystem);
    this.quotas = new ShareQuotasClient(sharedFileSystem);
    this.services = new SharedFileSystemServices(sharedFileSystem);
  }
}
