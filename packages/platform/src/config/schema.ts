import Joi from 'joi';
import { firstBootSchema } from './first-boot-schema.ts';
import { buildsSchema, librarySchema } from './library-schema.ts';
import { liteSchema } from './lite-schema.ts';
import {
  baseUrl,
  file,
  httpUrl,
  id,
  packageName,
  seconds,
  section,
  sizeGb,
  text,
  timerSeconds,
} from './schema-types.ts';
import { ssoSchema } from './sso-schema.ts';

const optionalCount = () => Joi.number().integer().min(1).max(1000);
const count = (defaultValue: number) => optionalCount().default(defaultValue);
const perMinute = (defaultValue: number) =>
  Joi.number().integer().min(0).max(1_000_000).default(defaultValue);
const perHour = perMinute;
/** Becomes a label of metrics, and part of queries. */
const gatewayName = () =>
  Joi.string()
    .max(63)
    .pattern(/^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/)
    .messages({
      'string.pattern.base':
        '{{#label}} may contain only letters, digits and _ . -, and begins and ends with a letter or digit',
    });
/** A URL that may contain `%(project_id)s`. */
const endpoint = () =>
  Joi.string()
    .pattern(/^https?:\/\/[^\s@]+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a URL of http or https' });
const redisUrl = () => Joi.string().uri({ scheme: ['redis', 'rediss'] });
const redisServers = () =>
  Joi.array()
    .items(
      Joi.string()
        .pattern(/^(?:[\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}$/)
        .messages({ 'string.pattern.base': '{{#label}} must be host:port' }),
    )
    .default([]);
const pciId = () =>
  Joi.string()
    .pattern(/^[0-9a-fA-F]{4}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be four hexadecimal digits in quotes' });
const network = () =>
  Joi.string()
    .ip({ cidr: 'optional' })
    .messages({ 'string.ip': '{{#label}} must be an address or a network' });
/** Addresses, networks, or names of predefined networks. */
const networks = () =>
  Joi.array()
    .items(network().allow('loopback', 'linklocal', 'uniquelocal'))
    .default([]);

const QUEUES = ['provisioning', 'cleanup', 'maintenance'];

/** Schema of the file, with the default of every key. The file contains no secrets. */
export const configSchema = Joi.object({
  gateway: section({ name: gatewayName().default('gateway') }),
  identity: section({
    url: httpUrl().required(),
    region: text().default('RegionOne'),
    interface: Joi.string().valid('public', 'internal', 'admin').default('public'),
    ca_file: file(),
    cert_file: file(),
    key_file: file(),
    endpoints: section({
      identity: endpoint(),
      compute: endpoint(),
      image: endpoint(),
      block_storage: endpoint(),
      network: endpoint(),
      shared_file_system: endpoint(),
      load_balancer: endpoint(),
      container_infra: endpoint(),
      container: endpoint(),
      placement: endpoint(),
      orchestration: endpoint(),
      key_manager: endpoint(),
    }),
    admin_role: text().default('admin'),
    admin_scope: section({
      projects: Joi.array()
        .items(Joi.object({ project: text().required(), domain: text().default('Default') }))
        .default([]),
      domains: Joi.array().items(text()).default([]),
      admin_project: Joi.boolean().default(false),
    }),
    reader_roles: Joi.array().items(text()).default(['reader']),
  }),
  sso: ssoSchema,
  upstream: section({
    proxy: Joi.string()
      .uri({ scheme: 'http' })
      // A password could be in a message of the value.
      .messages({ 'string.uriCustomScheme': '{{#label}} must be a URL of http' })
      .allow(null)
      .default(null),
    no_proxy: Joi.array()
      .items(
        Joi.alternatives()
          .try(Joi.string().ip({ cidr: 'optional' }), Joi.string().pattern(/^(?:\*?\.)?[\w-]+(?:\.[\w-]+)*$/))
          .messages({ 'alternatives.match': '{{#label}} must be a host, a domain, an address or a network' }),
      )
      .default([]),
    max_concurrent_calls: count(32),
    services: section({
      identity: optionalCount(),
      compute: optionalCount(),
      image: optionalCount(),
      block_storage: optionalCount(),
      network: optionalCount(),
      shared_file_system: optionalCount(),
      load_balancer: optionalCount(),
      container_infra: optionalCount(),
      container: optionalCount(),
      placement: optionalCount(),
      orchestration: optionalCount(),
      key_manager: optionalCount(),
    }),
  }),
  service_user: Joi.object({
    username: text().required(),
    user_domain: text().default('Default'),
    project_name: text().required(),
    project_domain: text().default('Default'),
    check_seconds: Joi.number().integer().min(1).max(3600).default(120),
  })
    .allow(null)
    .default(null),
  redis: section({
    url: redisUrl().default('redis://127.0.0.1:6379'),
    sentinels: redisServers(),
    sentinel_name: text().allow(null).default(null),
    sentinel_username: text().allow(null).default(null),
    cluster_nodes: redisServers(),
    wait_for_replicas: Joi.number().integer().min(0).max(10).default(0),
    cache_url: redisUrl().allow(null).default(null),
    ca_file: file(),
    cert_file: file(),
    key_file: file(),
    server_name: Joi.string().hostname().allow(null).default(null),
    key_prefix: Joi.string()
      .allow('')
      .max(64)
      .pattern(/^[\w:-]*$/)
      .messages({ 'string.pattern.base': '{{#label}} may contain only letters, digits and _ : -' })
      .default('gateway:'),
  }),
  listen: section({
    host: Joi.string().hostname().default('127.0.0.1'),
    api_port: Joi.number().port().default(8000),
    worker_port: Joi.number().port().default(8001),
    cert_file: file(),
    key_file: file(),
  }),
  http: section({
    body_limit_bytes: Joi.number().integer().min(1024).max(104_857_600).default(1_048_576),
    request_timeout_seconds: seconds(30),
    cors_origins: Joi.array()
      .items(
        Joi.string()
          .pattern(/^https?:\/\/[^/?#\s@]+$/)
          .messages({
            'string.pattern.base': '{{#label}} must be an origin, as https://dashboard.example.org',
          }),
      )
      .default([]),
    trusted_proxies: networks(),
    forward_client_address: Joi.boolean().default(false),
    heartbeat_seconds: seconds(15),
    streams_per_user: Joi.number().integer().min(0).default(100),
    streams_per_process: Joi.number().integer().min(0).default(10_000),
    stream_ticket_seconds: seconds(60),
    idempotency_seconds: seconds(86_400, 60),
    idempotency_refusal_seconds: seconds(60),
    idempotency_keys_per_user: Joi.number().integer().min(0).default(10_000),
  }),
  public_endpoint: section({ url: baseUrl().allow(null).default(null), ca_file: file() }),
  site: section({
    name: text().default('Cloud Gateway'),
    refresh_interval_ms: Joi.number().integer().min(1000).max(3_600_000).default(15_000),
    sisters: Joi.array()
      .items(
        Joi.object({
          name: text().required(),
          region: text().required(),
          url: baseUrl().required(),
        }),
      )
      .default([]),
  }),
  services: section({
    lite: Joi.boolean().default(true),
    shared_fs: Joi.boolean().default(true),
    container_infra: Joi.boolean().default(true),
    container: Joi.boolean().default(false),
  }),
  session: section({
    length_seconds: seconds(3600, 60),
    warning_seconds: seconds(300, 0),
    absolute_seconds: seconds(14_400, 60),
    token_cache_seconds: seconds(30, 0),
    cookies: Joi.boolean().default(false),
  }),
  cache: section({
    instances_seconds: seconds(15, 0),
    volumes_seconds: seconds(15, 0),
    images_seconds: seconds(300, 0),
    flavors_seconds: seconds(300, 0),
    limits_seconds: seconds(30, 0),
    networks_seconds: seconds(30, 0),
    security_groups_seconds: seconds(60, 0),
    file_storages_seconds: seconds(30, 0),
    libraries_seconds: seconds(60, 0),
    admin_seconds: seconds(30, 0),
    names_seconds: seconds(60, 0),
    quotas_seconds: seconds(300, 0),
    choices_seconds: seconds(300, 0),
    transition_seconds: seconds(1, 0),
    transition_limit_seconds: seconds(1800),
    process_bytes: Joi.number().integer().min(0).max(1_073_741_824).default(16_777_216),
  }),
  events: section({
    interval_seconds: section({
      instances: seconds(15, 0),
      volumes: seconds(15, 0),
      snapshots: seconds(30, 0),
      backups: seconds(30, 0),
      images: seconds(120, 0),
      keypairs: seconds(120, 0),
      networks: seconds(60, 0),
      security_groups: seconds(120, 0),
      load_balancers: seconds(30, 0),
      file_storages: seconds(30, 0),
      containers: seconds(30, 0),
      clusters: seconds(30, 0),
      lite_clusters: seconds(5, 0),
    }),
    transition_seconds: seconds(2),
    log_length: Joi.number().integer().min(10).max(1_000_000).default(5_000),
    keep_seconds: seconds(3_600, 60),
  }),
  rate_limits: section({
    login: perMinute(300),
    login_failures_by_address: perMinute(30),
    login_failures: perMinute(10),
    login_failures_by_name: perMinute(100),
    passcode_failures: perHour(20),
    refusals: perMinute(60),
    password: perMinute(5),
    scope_switch: perMinute(30),
    instance_create: perMinute(30),
    volume_create: perMinute(60),
    file_storage_create: perMinute(5),
    container_create: perMinute(10),
    managed_cluster_create: perMinute(5),
    lite_create: perMinute(5),
    lite_scale: perMinute(10),
    lite_health_check: perMinute(3),
    stream_ticket: perMinute(300),
    callback: perMinute(10),
    build: perMinute(5),
    ops_change: perMinute(60),
    shared_networks: Joi.array()
      .items(
        Joi.object({
          network: network().required(),
          factor: Joi.number().integer().min(1).max(1000).required(),
        }),
      )
      .default([]),
  }),
  time_limits: section({
    upstream_request_seconds: timerSeconds(30),
    upstream_queue_seconds: timerSeconds(10),
    sync_create_seconds: timerSeconds(900),
    volume_seconds: timerSeconds(600),
    volume_copy_seconds: timerSeconds(21_600),
    managed_cluster_seconds: timerSeconds(7200),
    backup_seconds: timerSeconds(86_400),
    share_seconds: timerSeconds(300),
    server_seconds: timerSeconds(600),
    move_seconds: timerSeconds(3600),
    attach_seconds: timerSeconds(180),
    step_retry_seconds: timerSeconds(60, 0),
    undo_seconds: timerSeconds(300),
    job_accept_seconds: timerSeconds(30),
    dashboard_part_seconds: timerSeconds(10),
    load_balancer_seconds: timerSeconds(30),
    volume_ready_seconds: timerSeconds(30, 0),
    build_seconds: timerSeconds(1800),
    build_accept_seconds: timerSeconds(30),
    lite_callback_seconds: timerSeconds(1800),
    lite_ready_seconds: timerSeconds(900),
    lite_scale_seconds: timerSeconds(900),
    first_boot_seconds: seconds(3600, 60),
    lite_drain_seconds: timerSeconds(60, 0),
    lite_upgrade_drain_seconds: timerSeconds(600, 0),
    lite_upgrade_node_seconds: timerSeconds(3600),
    shutdown_seconds: timerSeconds(25),
  }),
  jobs: section({
    queues: Joi.array()
      .items(Joi.string().valid(...QUEUES))
      .min(1)
      .unique()
      .default([...QUEUES]),
    concurrency: section({ provisioning: count(10), cleanup: count(10), maintenance: count(5) }),
    keep_seconds: seconds(86_400, 60),
    poll_interval_ms: Joi.number().integer().min(50).max(60_000).default(1000),
    lock_seconds: timerSeconds(10, 2),
    max_failed_runs: count(10),
    max_lost_runs: Joi.number().integer().min(0).default(5),
    project_running_limit: Joi.number().integer().min(0).allow(null).default(null),
    project_waiting_limit: Joi.number().integer().min(0).default(100),
    project_unsuccessful_limit: Joi.number().integer().min(0).default(1000),
    sweep_seconds: seconds(60, 1),
    late_call_seconds: seconds(120, 0),
    recheck_seconds: seconds(900, 0),
    old_store_seconds: seconds(300, 1),
  }),
  auto_backup: section({
    min_interval_seconds: seconds(3600, 60),
    spread_seconds: seconds(600, 0),
    running_limit: Joi.number().integer().min(0).default(50),
  }),
  instances: section({
    default_network_id: id(),
    external_network_id: id(),
    volume_zone: text().default('same'),
    boot_volume_size_gb: sizeGb(20),
    upper_volume_size_gb: sizeGb(50),
    dynamic_share_size_gb: sizeGb(20),
    workspace_keep_seconds: seconds(34_560_000, 86_400).max(315_360_000),
    gpu_driver_packages: Joi.array().items(packageName()).default([]),
    disks_are_shared: Joi.boolean().default(false),
  }),
  file_storage: section({
    share_proto: Joi.string().valid('NATIVEFS', 'NFS').default('NATIVEFS'),
    share_type: section({ nativefs: id(), nfs: id() }),
    share_network_id: id(),
  }),
  builds: buildsSchema,
  first_boot: firstBootSchema,
  gpu: section({
    devices: Joi.array()
      .items(
        Joi.object({
          vendor_id: pciId().required(),
          device_id: pciId().required(),
          name: text().required(),
          is_audio: Joi.boolean().default(false),
          aliases: Joi.array().items(text()).default([]),
        }),
      )
      .default([]),
  }),
  time_series: section({ keep_seconds: seconds(3_024_000, 86_400) }),
  audit: section({
    keep_seconds: seconds(7_776_000, 3600),
    max_records: Joi.number().integer().min(1000).max(1_000_000).default(100_000),
  }),
  history: section({
    keep_seconds: seconds(7_776_000, 3600),
    max_records: Joi.number().integer().min(0).max(100_000).default(2000),
  }),
  libraries: Joi.array().items(librarySchema),
  lite: liteSchema,
  metrics: section({ allowed_from: networks() }),
  tracing: section({
    endpoint: baseUrl().allow(null).default(null),
    sample_ratio: Joi.number().min(0).max(1).default(1),
  }),
  ops: section({
    enabled: Joi.boolean().default(false),
    allow_changes: Joi.boolean().default(false),
  }),
  log: section({
    level: Joi.string().valid('error', 'warn', 'info', 'debug').default('info'),
    format: Joi.string().valid('auto', 'json', 'text').default('auto'),
  }),
});
