/** Endpoints that are not served yet: none. The check fails once a listed endpoint is served. */
export const NOT_SERVED: readonly string[] = [];

/** Deliberate differences from the contract. The check fails once a listed difference no longer exists. */
export const DEVIATIONS: readonly string[] = [
  // Generated clients would send a declared default, which fails for an image that needs more. Without a
  // value, the size is the configured size (20) or the size that the image needs.
  'POST /api/instances: boot_volume_size_gb is undefined by default, not 20',
  'POST /api/instances/async: boot_volume_size_gb is undefined by default, not 20',
  // A log-in that continues with a passcode has a receipt in their place.
  'POST /api/auth/login: username is required: false',
  'POST /api/auth/login: password is required: false',
  // Generated clients would send a declared default, and so place the project of a user of another domain in
  // `Default`. Without any field for a domain, it is `Default`.
  'POST /api/auth/login: domain_name is undefined by default, not Default',
  // Without it, a volume has the size of its source.
  'POST /api/volumes: size_gb is required: false',
  // A time that the service does not send is null, because an invented time would be wrong. The contract's
  // nullable times are null, too.
  'GET /api/images: response.[].created_at is string,null, not string',
  'GET /api/volumes: response.[].created_at is string,null, not string',
  'GET /api/volumes/{volume_id}: response.created_at is string,null, not string',
  'POST /api/volumes: response.created_at is string,null, not string',
  'GET /api/volumes/backups: response.[].created_at is string,null, not string',
  'GET /api/volumes/backups/{backup_id}: response.created_at is string,null, not string',
  'GET /api/volume-snapshots: response.[].created_at is string,null, not string',
  'GET /api/volume-snapshots/{snapshot_id}: response.created_at is string,null, not string',
  'POST /api/volume-snapshots: response.created_at is string,null, not string',
  'GET /api/admin/all-instances: response.items.[].created_at is string,null, not string',
  'GET /api/admin/all-volumes: response.items.[].created_at is string,null, not string',
  // The token alone authenticates a control node.
  'POST /api/lite/callback: requires token in addition',
  // Null if the share has no id within `time_limits.build_accept_seconds`. The build continues, so an error
  // would be wrong, and the response contains its job.
  'POST /api/admin/file-storage/build: response.file_storage_id is string,null, not string',
  // Null while the service of the part is unavailable. `unavailable` lists it, so that one service does not
  // empty the dashboard. A zero would be wrong.
  'GET /api/dashboard/summary: response.instances is object,null, not object',
  'GET /api/dashboard/summary: response.compute is object,null, not object',
  'GET /api/dashboard/summary: response.storage is object,null, not object',
  'GET /api/dashboard/summary: response.gpu_used is integer,null, not integer',
  'GET /api/admin/overview: response.hypervisor_count is integer,null, not integer',
  'GET /api/admin/overview: response.running_vms is integer,null, not integer',
  'GET /api/admin/overview: response.gpu_instances is integer,null, not integer',
  'GET /api/admin/overview: response.containers_count is integer,null, not integer',
  'GET /api/admin/overview: response.file_storage_count is integer,null, not integer',
  'GET /api/admin/overview: response.instance_stats is object,null, not object',
  'GET /api/admin/overview: response.vcpus is object,null, not object',
  'GET /api/admin/overview: response.ram_gb is object,null, not object',
  'GET /api/admin/overview: response.disk_gb is object,null, not object',
];

/**
 * Endpoints beyond the contract. The log-out ends a session for all of its tokens. With the jobs, a client
 * can find, follow and cancel work that outlasts its request, using a ticket where it cannot set headers.
 * Machines without an identity in the cloud report to the callbacks: machines that build or verify libraries,
 * instances with libraries, agents that fail, and control nodes whose certificates were renewed.
 */
export const ADDITIONAL: readonly string[] = [
  'POST /api/auth/logout',
  // Users whose password has expired have no token with which to change it.
  'PUT /api/auth/expired-password',
  // Users see where they are logged in, and log out from elsewhere.
  'GET /api/auth/sessions',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/{session_id}',
  // Programs log in with application credentials, and the cloud's own tools with files.
  'GET /api/auth/application-credentials',
  'POST /api/auth/application-credentials',
  'DELETE /api/auth/application-credentials/{credential_id}',
  'GET /api/auth/clouds.yaml',
  'GET /api/auth/openrc',
  // Users of an identity provider have no password of the cloud.
  'GET /api/auth/providers',
  'GET /api/auth/sso/{provider}',
  'POST /api/auth/sso/callback',
  'POST /api/auth/exchange',
  // Short lists of what forms offer.
  'GET /api/availability-zones',
  'GET /api/clusters/templates',
  'GET /api/file-storage/share-networks',
  'GET /api/keypairs/types',
  'GET /api/networks/dns',
  'GET /api/volume-types',
  'GET /api/jobs',
  'GET /api/jobs/{job_id}',
  'GET /api/jobs/{job_id}/events',
  'POST /api/jobs/{job_id}/ticket',
  // Dashboards learn what changes, instead of reading their lists again and again.
  'GET /api/events',
  'POST /api/events/ticket',
  // Members see who has changed what.
  'GET /api/history',
  'POST /api/jobs/{job_id}/cancel',
  'POST /api/file-storage/builds/callback',
  'POST /api/file-storage/verifications/callback',
  'POST /api/instances/first-boot/callback',
  'POST /api/lite/callback/agent',
  'POST /api/lite/callback/kubeconfig',
  'POST /api/lite/callback/progress',
  // What takes long can be followed, as the creation of an instance.
  'POST /api/clusters/async',
  'POST /api/lite/clusters/{cluster_id}/scale/async',
  'POST /api/file-storage/async',
  'POST /api/volumes/async',
  'POST /api/volumes/backups/async',
  'POST /api/volumes/backups/{backup_id}/restore/async',
  'POST /api/instances/{instance_id}/images/async',
  'DELETE /api/images/{image_id}',
  // A dead node of a lite cluster is replaced, and a credential whose user leaves the project.
  'POST /api/lite/clusters/{cluster_id}/credential',
  'POST /api/lite/clusters/{cluster_id}/repair',
  // Clusters live longer than releases of Kubernetes.
  'GET /api/lite/clusters/{cluster_id}/upgrades',
  'POST /api/lite/clusters/{cluster_id}/upgrade',
  // Names, and the static routes of routers, can be changed like the other fields of a network.
  'PUT /api/networks/{network_id}',
  'PUT /api/routers/{router_id}',
  'PUT /api/security-groups/{sg_id}',
  // The same for load balancers, which can also be reached from outside.
  'POST /api/loadbalancers/{lb_id}/floating-ip',
  'PUT /api/loadbalancers/{lb_id}',
  'PUT /api/loadbalancers/{lb_id}/listeners/{listener_id}',
  'PUT /api/loadbalancers/{lb_id}/pools/{pool_id}',
  'PUT /api/loadbalancers/{lb_id}/pools/{pool_id}/health-monitor/{hm_id}',
  'PUT /api/loadbalancers/{lb_id}/pools/{pool_id}/members/{member_id}',
  // Instances are placed together or apart.
  'GET /api/server-groups',
  'POST /api/server-groups',
  'DELETE /api/server-groups/{server_group_id}',
  // Auto backups are paused, and run when somebody asks for one now.
  'POST /api/volumes/backups/auto-backup/{volume_id}/pause',
  'POST /api/volumes/backups/auto-backup/{volume_id}/resume',
  'POST /api/volumes/backups/auto-backup/{volume_id}/run',
  // Instances get another name, and are protected from actions.
  'PUT /api/instances/{instance_id}',
  'POST /api/instances/{instance_id}/lock',
  'POST /api/instances/{instance_id}/unlock',
  // Instances get another flavor or system, and are repaired.
  'POST /api/instances/{instance_id}/resize',
  'POST /api/instances/{instance_id}/confirm-resize',
  'POST /api/instances/{instance_id}/revert-resize',
  'POST /api/instances/{instance_id}/rebuild',
  'POST /api/instances/{instance_id}/rescue',
  'POST /api/instances/{instance_id}/unrescue',
  // Members change their volumes without an administrator.
  'PUT /api/volumes/{volume_id}',
  'POST /api/volumes/{volume_id}/extend',
  'POST /api/volumes/{volume_id}/retype',
  // Beside the quota of file storage.
  'GET /api/loadbalancers/quota',
  // Administrators try a library before users do.
  'POST /api/admin/file-storage/{file_storage_id}/verify',
  // A project with everything in it, which the deletion refuses.
  'GET /api/admin/projects/{project_id}/purge',
  'POST /api/admin/projects/{project_id}/purge',
  // A host is emptied before its maintenance.
  'PUT /api/admin/hypervisors/{id}',
  'GET /api/admin/hypervisors/{id}/evacuation',
  'POST /api/admin/hypervisors/{id}/evacuation',
  // The types of volumes that projects choose from.
  'DELETE /api/admin/volume-types/{volume_type_id}',
  'DELETE /api/admin/volume-types/{volume_type_id}/access/{project_id}',
  'DELETE /api/admin/volume-types/{volume_type_id}/extra-specs/{key}',
  'GET /api/admin/volume-types',
  'GET /api/admin/volume-types/{volume_type_id}/access',
  'POST /api/admin/volume-types',
  'POST /api/admin/volume-types/{volume_type_id}/access',
  'POST /api/admin/volume-types/{volume_type_id}/extra-specs',
  'PUT /api/admin/volume-types/{volume_type_id}',
  // A network of another project can be deleted once it has no subnets and interfaces.
  'DELETE /api/admin/networks/subnets/{subnet_id}',
  'DELETE /api/admin/routers/{router_id}/interfaces/{subnet_id}',
  'POST /api/admin/networks/{network_id}/subnets',
  'POST /api/admin/routers/{router_id}/interfaces',
  'PUT /api/admin/networks/subnets/{subnet_id}',
  // The lists of all projects lead administrators to single resources.
  'GET /api/admin/clusters/{cluster_id}',
  'GET /api/admin/file-storage/{file_storage_id}',
  'GET /api/admin/images/{image_id}',
  'GET /api/admin/instances/{instance_id}',
  'GET /api/admin/lite/clusters/{cluster_id}',
  'GET /api/admin/networks/{network_id}',
  'GET /api/admin/volumes/{volume_id}',
  // Lists of users, groups and projects have only the ids of domains, which administrators manage as well.
  'GET /api/admin/domains',
  'POST /api/admin/domains',
  'DELETE /api/admin/domains/{domain_id}',
  'GET /api/admin/domains/{domain_id}',
  'PATCH /api/admin/domains/{domain_id}',
  // The changes that administrators made, for administrators.
  'GET /api/admin/audit',
  // The jobs of all projects, which administrators hold, release and cancel.
  'GET /api/admin/jobs',
  'GET /api/admin/jobs/{job_id}',
  'POST /api/admin/jobs/{job_id}/hold',
  'POST /api/admin/jobs/{job_id}/release',
  'POST /api/admin/jobs/{job_id}/cancel',
  'GET /api/admin/jobs/{job_id}/steps',
  'GET /api/admin/failures',
  // The queues of these jobs, for those who operate the gateway.
  'GET /api/admin/queues',
  'POST /api/admin/queues/{queue}/pause',
  'POST /api/admin/queues/{queue}/resume',
  'GET /api/admin/queues/{queue}/entries',
  'GET /api/admin/queues/{queue}/entries/{entry_id}',
  'POST /api/admin/queues/{queue}/entries/{entry_id}/run',
  // Resources that jobs could not remove, and marked resources without an owner:
  // administrators find and remove them.
  'GET /api/admin/leftovers',
  'POST /api/admin/leftovers/{type}/{resource_id}/remove',
];
