/**
 * What `list` shows of the resources that people list often. Others show what their rows have of the usual
 * fields.
 */
export const COLUMNS: Record<string, string[]> = {
  projects: ['id', 'name', 'description', 'domain_name', 'enabled'],
  sessions: ['id', 'is_current', 'client', 'address', 'last_seen_at'],
  'application-credentials': ['id', 'name', 'roles', 'expires_at'],
  images: ['id', 'name', 'status', 'size', 'min_disk', 'os_distro'],
  flavors: ['id', 'name', 'vcpus', 'ram', 'disk', 'gpu_count'],
  instances: ['id', 'name', 'status', 'flavor_name', 'image_name', 'ip_addresses', 'created_at'],
  'instance-volumes': ['id', 'name', 'status', 'size', 'device'],
  'instance-interfaces': ['id', 'network_id', 'fixed_ips', 'mac_address', 'status'],
  keypairs: ['name', 'type', 'fingerprint'],
  volumes: ['id', 'name', 'status', 'size', 'volume_type', 'attachments', 'created_at'],
  'volume-backups': ['id', 'name', 'status', 'size', 'volume_id', 'created_at'],
  'volume-snapshots': ['id', 'name', 'status', 'size', 'volume_id', 'created_at'],
  'auto-backups': ['volume_id', 'volume_name', 'schedule', 'enabled', 'last_status', 'next_run_at'],
  'volume-transfers': ['id', 'name', 'volume_id', 'created_at'],
  'floating-ips': ['id', 'floating_ip_address', 'fixed_ip_address', 'status', 'port_id'],
  networks: ['id', 'name', 'status', 'admin_state_up', 'subnets', 'is_external', 'is_shared'],
  routers: ['id', 'name', 'status', 'admin_state_up', 'external_gateway_network_id', 'connected_subnet_ids'],
  'security-groups': ['id', 'name', 'description'],
  'file-storage': ['id', 'name', 'status', 'size', 'share_proto', 'library_name', 'created_at'],
  'file-storage-access-rules': ['id', 'access_type', 'access_to', 'access_level', 'state'],
  libraries: ['id', 'name', 'version', 'available_prebuilt', 'depends_on'],
  loadbalancers: ['id', 'name', 'status', 'operating_status', 'vip_address'],
  'loadbalancer-listeners': ['id', 'name', 'protocol', 'protocol_port', 'status', 'operating_status'],
  'loadbalancer-pools': ['id', 'name', 'protocol', 'lb_algorithm', 'status', 'operating_status'],
  'loadbalancer-pool-members': [
    'id',
    'name',
    'address',
    'protocol_port',
    'weight',
    'backup',
    'operating_status',
  ],
  clusters: ['id', 'name', 'status', 'master_count', 'node_count', 'api_address', 'created_at'],
  containers: ['id', 'name', 'status', 'image', 'addresses', 'created_at'],
  'lite-clusters': ['id', 'name', 'status', 'health_status', 'agent_count', 'k3s_version', 'api_address'],
  'lite-cluster-health': ['cluster_id', 'cluster_name', 'status', 'reachability', 'checked_at'],
  jobs: ['id', 'resource_name', 'status', 'type', 'progress', 'error', 'created_at'],
  history: ['timestamp', 'user_name', 'method', 'route', 'outcome', 'resource_ids', 'job_id'],
  'admin-audit': ['timestamp', 'user_name', 'method', 'route', 'resource_id', 'status', 'outcome'],
  'admin-users': ['id', 'name', 'email', 'enabled', 'domain_id'],
  'admin-projects': ['id', 'name', 'description', 'enabled', 'domain_id'],
  'admin-all-instances': ['id', 'name', 'status', 'project_id', 'flavor', 'host', 'created_at'],
  'admin-all-volumes': ['id', 'name', 'status', 'size', 'project_id', 'created_at'],
  'admin-all-ports': ['id', 'name', 'status', 'project_id', 'network_id', 'device_owner', 'fixed_ips'],
  'admin-hypervisors': ['id', 'name', 'state', 'status', 'running_vms', 'vcpus_used', 'vcpus'],
};

const USUAL = ['id', 'name', 'type', 'status', 'size', 'description', 'created_at'];
const MIN_COLUMNS = 3;
const MAX_COLUMNS = 7;

/**
 * Those of a list of all projects follow from that of one project, and name the project.
 * @param fields of a row, as the OpenAPI document declares them
 */
export function defaultColumns(noun: string, fields: readonly string[]): string[] {
  const listed = COLUMNS[noun] ?? COLUMNS[noun.replace(/^admin-(?:all-)?/, '')] ?? [];
  const known = listed.filter((column) => fields.includes(column));
  if (known.length > 0) {
    const isOfAll = noun.startsWith('admin-all-') && fields.includes('project_id');
    return isOfAll ? [...new Set([...known, 'project_id'])] : known;
  }
  const usual = USUAL.filter((column) => fields.includes(column));
  return usual.length >= MIN_COLUMNS ? usual : [...new Set([...usual, ...fields])].slice(0, MAX_COLUMNS);
}
