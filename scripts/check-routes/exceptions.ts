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
