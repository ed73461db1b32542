import type { AnyEndpoint } from '../pipeline/endpoint.ts';
import { adminAuditEndpoints } from './admin-audit/routes.ts';
import { adminAutoBackupEndpoints } from './admin-auto-backups/routes.ts';
import { adminDomainEndpoints } from './admin-domains/routes.ts';
import { adminFlavorEndpoints } from './admin-flavors/routes.ts';
import { adminFloatingIpEndpoints } from './admin-floating-ips/routes.ts';
import { adminGpuEndpoints } from './admin-gpus/routes.ts';
import { adminGroupEndpoints } from './admin-groups/routes.ts';
import { adminHypervisorEndpoints } from './admin-hypervisors/routes.ts';
import { adminInventoryEndpoints } from './admin-inventories/routes.ts';
import { adminJobEndpoints } from './admin-jobs/routes.ts';
import { adminLeftoverEndpoints } from './admin-leftovers/routes.ts';
import { adminNetworkEndpoints } from './admin-networks/routes.ts';
import { adminOverviewEndpoints } from './admin-overview/routes.ts';
import { adminPortEndpoints } from './admin-ports/routes.ts';
import { adminProjectEndpoints } from './admin-projects/routes.ts';
import { adminQueueEndpoints } from './admin-queues/routes.ts';
import { adminQuotaEndpoints } from './admin-quotas/routes.ts';
import { adminReadOnlyModeEndpoints } from './admin-read-only-mode/routes.ts';
import { adminResourceEndpoints } from './admin-resources/routes.ts';
import { adminRoleEndpoints } from './admin-roles/routes.ts';
import { adminRouterEndpoints } from './admin-routers/routes.ts';
import { adminServiceEndpoints } from './admin-services/routes.ts';
import { adminTimeSeriesEndpoints } from './admin-time-series/routes.ts';
import { adminUserEndpoints } from './admin-users/routes.ts';
import { adminVolumeTypeEndpoints } from './admin-volume-types/routes.ts';
import { adminVolumeEndpoints } from './admin-volumes/routes.ts';
import { applicationCredentialEndpoints } from './application-credentials/routes.ts';
import { authEndpoints } from './auth/routes.ts';
import { autoBackupEndpoints } from './auto-backup/routes.ts';
import { availabilityZoneEndpoints } from './availability-zones/routes.ts';
import { cloudFileEndpoints } from './cloud-files/routes.ts';
import { containerEndpoints } from './containers/routes.ts';
import { dashboardEndpoints } from './dashboard/routes.ts';
import { eventEndpoints } from './events/routes.ts';
import { fileStorageEndpoints } from './file-storage/routes.ts';
import { firstBootCallbackEndpoints } from './first-boot-callback/routes.ts';
import { flavorEndpoints } from './flavors/routes.ts';
import { floatingIpEndpoints } from './floating-ips/routes.ts';
import { healthEndpoints } from './health/routes.ts';
import { historyEndpoints } from './history/routes.ts';
import { imageEndpoints } from './images/routes.ts';
import { instanceReplacementEndpoints } from './instance-actions/change-routes.ts';
import { instanceActionEndpoints } from './instance-actions/routes.ts';
import { instanceChangeEndpoints } from './instance-changes/routes.ts';
import { instanceConsoleEndpoints } from './instance-console/routes.ts';
import { instanceFloatingIpEndpoints } from './instance-floating-ips/routes.ts';
import { instanceImageEndpoints } from './instance-images/routes.ts';
import { instanceInterfaceEndpoints } from './instance-interfaces/routes.ts';
import { instanceVolumeEndpoints } from './instance-volumes/routes.ts';
import { instanceEndpoints } from './instances/routes.ts';
import { jobEndpoints } from './jobs/routes.ts';
import { keypairEndpoints } from './keypairs/routes.ts';
import { libraryEndpoints } from './libraries/routes.ts';
import { libraryBuildEndpoints } from './library-builds/routes.ts';
import { libraryVerificationEndpoints } from './library-verifications/routes.ts';
import { liteCallbackEndpoints } from './lite-callback/routes.ts';
import { liteClusterEndpoints } from './lite-clusters/routes.ts';
import { liteHealthEndpoints } from './lite-health/routes.ts';
import { loadBalancerEndpoints } from './load-balancers/routes.ts';
import { managedClusterEndpoints } from './managed-clusters/routes.ts';
import { networkEndpoints } from './networks/routes.ts';
import { withAsyncPreference } from './prefer-async.ts';
import { profileEndpoints } from './profile/routes.ts';
import { routerEndpoints } from './routers/routes.ts';
import { securityGroupEndpoints } from './security-groups/routes.ts';
import { securityServiceEndpoints } from './security-services/routes.ts';
import { serverGroupEndpoints } from './server-groups/routes.ts';
import { sessionEndpoints } from './sessions/routes.ts';
import { shareNetworkEndpoints } from './share-networks/routes.ts';
import { shareSnapshotEndpoints } from './share-snapshots/routes.ts';
import { signOnEndpoints } from './sign-on/routes.ts';
import { siteConfigEndpoints } from './site-config/routes.ts';
import { volumeBackupEndpoints } from './volume-backups/routes.ts';
import { volumeSnapshotEndpoints } from './volume-snapshots/routes.ts';
import { volumeTransferEndpoints } from './volume-transfers/routes.ts';
import { volumeTypeEndpoints } from './volume-types/routes.ts';
import { volumeEndpoints } from './volumes/routes.ts';
import { adminWebhookEndpoints, webhookEndpoints } from './webhooks/routes.ts';

/**
 * All endpoints of the gateway, in the order of the document. Below `/api/volumes` and `/api/networks`, paths
 * of other resources come before `/api/volumes/:volume_id` and `/api/networks/:network_id`, which would match
 * them too; so do `/api/file-storage/snapshots` before `/api/file-storage/:file_storage_id`,
 * `/api/lite/clusters/health` before `/api/lite/clusters/:cluster_id`, and
 * `/api/admin/file-storage/builds` before `/api/admin/file-storage/:file_storage_id`.
 */
export const endpoints: readonly AnyEndpoint[] = withAsyncPreference([
  ...authEndpoints,
  ...sessionEndpoints,
  ...applicationCredentialEndpoints,
  ...cloudFileEndpoints,
  ...signOnEndpoints,
  ...profileEndpoints,
  ...imageEndpoints,
  ...flavorEndpoints,
  ...availabilityZoneEndpoints,
  ...instanceEndpoints,
  ...instanceActionEndpoints,
  ...instanceReplacementEndpoints,
  ...instanceChangeEndpoints,
  ...instanceConsoleEndpoints,
  ...instanceImageEndpoints,
  ...instanceVolumeEndpoints,
  ...instanceInterfaceEndpoints,
  ...instanceFloatingIpEndpoints,
  ...serverGroupEndpoints,
  ...keypairEndpoints,
  ...autoBackupEndpoints,
  ...volumeBackupEndpoints,
  ...volumeTransferEndpoints,
  ...volumeEndpoints,
  ...volumeSnapshotEndpoints,
  ...volumeTypeEndpoints,
  ...floatingIpEndpoints,
  ...networkEndpoints,
  ...routerEndpoints,
  ...securityGroupEndpoints,
  ...shareSnapshotEndpoints,
  ...shareNetworkEndpoints,
  ...securityServiceEndpoints,
  ...fileStorageEndpoints,
  ...loadBalancerEndpoints,
  ...dashboardEndpoints,
  ...libraryEndpoints,
  ...siteConfigEndpoints,
  ...managedClusterEndpoints,
  ...containerEndpoints,
  ...liteHealthEndpoints,
  ...liteClusterEndpoints,
  ...jobEndpoints,
  ...eventEndpoints,
  ...historyEndpoints,
  ...webhookEndpoints,
  ...adminOverviewEndpoints,
  ...adminHypervisorEndpoints,
  ...adminServiceEndpoints,
  ...adminInventoryEndpoints,
  ...adminVolumeEndpoints,
  ...adminAutoBackupEndpoints,
  ...adminVolumeTypeEndpoints,
  ...adminNetworkEndpoints,
  ...adminFloatingIpEndpoints,
  ...adminRouterEndpoints,
  ...adminPortEndpoints,
  ...adminFlavorEndpoints,
  ...adminUserEndpoints,
  ...adminProjectEndpoints,
  ...adminQuotaEndpoints,
  ...adminDomainEndpoints,
  ...adminGroupEndpoints,
  ...adminRoleEndpoints,
  ...adminGpuEndpoints,
  ...adminTimeSeriesEndpoints,
  ...adminAuditEndpoints,
  ...adminWebhookEndpoints,
  ...adminJobEndpoints,
  ...adminQueueEndpoints,
  ...adminLeftoverEndpoints,
  ...adminReadOnlyModeEndpoints,
  ...firstBootCallbackEndpoints,
  ...libraryBuildEndpoints,
  ...libraryVerificationEndpoints,
  ...adminResourceEndpoints,
  ...liteCallbackEndpoints,
  ...healthEndpoints,
]);
