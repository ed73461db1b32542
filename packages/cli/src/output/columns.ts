/**
 * What `list` shows of the resources that people list often. Others show what their rows have of the usual
 * fields.
 */
const COLUMNS: Record<string, string[]> = {
  projects: ['id', 'name', 'description', 'domain_name', 'enabled'],
  sessions: ['id', 'current', 'client', 'address', 'last_used_at'],
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
  'volume-transfers': ['id', 'name', 'volume_id', 'created_at'],
  'floating-ips': ['id', 'floating_ip_address', 'fixed_ip_address', 'status', 'port_id'],
  networks: ['id', 'name', 'status', 'subnets', 'is_external', 'is_shared'],
  routers: ['id', 'name', 'status', 'external_gateway_network_id', 'connected_subnet_ids'],
  'security-groups': ['id', 'name', 'description'],
  'file-storage': ['id', 'name', 'status', 'size', 'share_proto', 'library_name', 'created_at'],
  libraries: ['id', 'name', 'version', 'available_prebuilt', 'depends_on'],
  loadbalancers: ['id', 'name', 'provisioning_status', 'operating_status', 'vip_address'],
  'lite-clusters': ['id', 'name', 'status', 'health_status', 'agent_count', 'k3s_version', 'api_address'],
  'lite-cluster-health': ['cluster_id', 'cluster_name', 'status', 'reachability', 'checked_at'],
  jobs: ['id', 'type', 'status', 'step', 'progress', 'resource_id', 'created_at'],
  'admin-audit': ['time', 'kind', 'user_name', 'method', 'path', 'outcome'],
  'admin-users': ['id', 'name', 'email', 'enabled', 'domain_id'],
  'admin-projects': ['id', 'name', 'description', 'enabled', 'domain_id'],
  'admin-all-instances': ['id', 'name', 'status', 'project_id', 'flavor', 'host', 'created_at'],
  'admin-all-volumes': ['id', 'name', 'status', 'size', 'project_id', 'created_at'],
  'admin-hypervisors': ['id', 'name', 'state', 'status', 'running_vms', 'vcpus_used', 'vcpus'],
};

const USUAL = ['id', 'name', 'type', 'status', 'size', 'description', 'created_at'];
const MIN_COLUMNS = 3;
const MAX_COLUMNS = 7;

/** @param fields of a row, as the OpenAPI document declares them */
export function defaultColumns(noun: string, fields: readonly string[]): string[] {
  const listed = COLUMNS[noun]?.filter((column) => fields.includes(column)) ?? [];
  if (listed.length > 0) return listed;
  const usual = USUAL.filter((column) => fields.includes(column));
  return usual.length >= MIN_COLUMNS ? usual : [...new Set([...usual, ...fields])].slice(0, MAX_COLUMNS);
}
