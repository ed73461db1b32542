/** Endpoints that are not served yet: none. The check fails once a listed one is served. */
export const NOT_SERVED: readonly string[] = [];

/** Deliberate differences from the contract. The check fails once one of them is gone. */
export const DEVIATIONS: readonly string[] = [
  // A declared default would be sent by generated clients, and refused for an image that needs more. Without a value, the size is
  // the configured one (20) or what the image needs.
  'POST /api/instances: boot_volume_size_gb is undefined by default, not 20',
  'POST /api/instances/async: boot_volume_size_gb is undefined by default, not 20',
  // A time that the service does not send is null: an invented one would be wrong, and the contract's nullable times are null, too.
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
  // The token is all that authenticates a control node.
  'POST /api/lite/callback: requires token in addition',
  // Null if the share has no id within `time_limits.build_accept_seconds`. The build goes on, so an error would be wrong, and the
  // response names its job.
  'POST /api/admin/file-storage/build: response.file_storage_id is string,null, not string',
  // Null while the service of the part is unavailable, which `unavailable` names: one service does not empty the dashboard. A zero
  // would be a wrong answer.
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
 * Endpoints beyond the contract. The log-out ends a session for all of its tokens. The jobs let a client find, follow and cancel what
 * outlives its request, with a ticket where it can not set headers. Builders of libraries, which have no token, report to the callback.
 * From the list of all instances, administrators reach one of them.
 */
export const ADDITIONAL: readonly string[] = [
  'POST /api/auth/logout',
  'GET /api/jobs',
  'GET /api/jobs/{job_id}',
  'GET /api/jobs/{job_id}/events',
  'POST /api/jobs/{job_id}/ticket',
  'POST /api/jobs/{job_id}/cancel',
  'POST /api/file-storage/builds/callback',
  'GET /api/admin/instances/{instance_id}',
  // What administrators have changed, for administrators.
  'GET /api/admin/audit',
  // What jobs could not remove, and what nothing living has: administrators find it and have it removed.
  'GET /api/admin/leftovers',
  'POST /api/admin/leftovers/{type}/{resource_id}/remove',
];
