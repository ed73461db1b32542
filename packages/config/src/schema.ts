import Joi from 'joi';
import { librarySchema } from './library-schema.ts';

const seconds = (normal: number, least = 1) =>
  Joi.number().integer().min(least).max(31_536_000).default(normal);
/** Something waits for so long with a timer, and timers know no more than 24 days: longer ones end at once. */
const wait = (normal: number, least = 1) => seconds(normal, least).max(2_000_000);
const sizeGb = (normal: number) => Joi.number().integer().min(1).max(65_536).default(normal);
const count = (normal: number) => Joi.number().integer().min(1).max(1000).default(normal);
const perMinute = (normal: number) => Joi.number().integer().min(0).max(1_000_000).default(normal);
const id = () => Joi.string().max(255).allow(null).default(null);
const file = () => Joi.string().allow(null).default(null);
const httpUrl = () => Joi.string().uri({ scheme: ['http', 'https'] });
/** A URL in which `%(project_id)s` may stand for the caller's project. */
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
const text = () => Joi.string().max(255);
const packageName = () =>
  text()
    // One that ends with a hyphen would be removed.
    .pattern(/^[A-Za-z0-9]([\w.+:~=-]*[\w.+])?$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the name of a package' });
/** An address that paths are put behind. */
const baseUrl = () =>
  httpUrl()
    .pattern(/^[^?#@]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be an address without user, query and fragment' });

/** An address, a network, or one of the names that stand for several networks. */
const networks = () =>
  Joi.array()
    .items(
      Joi.string()
        .ip({ cidr: 'optional' })
        .allow('loopback', 'linklocal', 'uniquelocal')
        .messages({ 'string.ip': '{{#label}} must be an address or a network' }),
    )
    .default([]);

/** A section; when it is absent, its keys have their defaults. */
function section(keys: Joi.SchemaMap): Joi.ObjectSchema {
  return Joi.object(keys).default();
}

const QUEUES = ['provisioning', 'cleanup', 'upkeep'];

/** The file's tree, with the default of every key. Secrets have no place in it. */
export const configSchema = Joi.object({
  identity: section({
    url: httpUrl().required(),
    region: text().default('RegionOne'),
    interface: Joi.string().valid('public', 'internal', 'admin').default('public'),
    ca_file: file(),
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
    }),
    admin_role: text().default('admin'),
  }),
  service_user: Joi.object({
    username: text().required(),
    user_domain: text().default('Default'),
    project_name: text().required(),
    project_domain: text().default('Default'),
  })
    .allow(null)
    .default(null),
  redis: section({
    url: redisUrl().default('redis://127.0.0.1:6379'),
    sentinels: redisServers(),
    sentinel_name: text().allow(null).default(null),
    cluster_nodes: redisServers(),
    replicas_to_confirm: Joi.number().integer().min(0).max(10).default(0),
    cache_url: redisUrl().allow(null).default(null),
    key_prefix: Joi.string()
      .allow('')
      .max(64)
      .pattern(/^[\w:-]*$/)
      .messages({ 'string.pattern.base': '{{#label}} may hold letters, digits and _ : - only' })
      .default('gateway:'),
  }),
  listen: section({
    host: Joi.string().hostname().default('127.0.0.1'),
    api_port: Joi.number().port().default(8000),
    worker_port: Joi.number().port().default(8001),
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
    metrics_allowed_from: networks(),
    drain_timeout_seconds: wait(25),
    heartbeat_seconds: seconds(15),
    streams_per_user: Joi.number().integer().min(0).default(100),
    streams_per_process: Joi.number().integer().min(0).default(10_000),
    stream_ticket_seconds: seconds(60),
    idempotency_seconds: seconds(86_400, 60),
    idempotency_refusal_seconds: seconds(60),
    idempotency_keys_per_user: Joi.number().integer().min(0).default(10_000),
    public_url: baseUrl().allow(null).default(null),
    public_ca_file: file(),
  }),
  site: section({
    name: text().default('Cloud Gateway'),
    refresh_interval_ms: Joi.number().integer().min(1000).max(3_600_000).default(15_000),
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
  }),
  cache: section({
    instances_seconds: seconds(15, 0),
    volumes_seconds: seconds(15, 0),
    images_seconds: seconds(300, 0),
    flavors_seconds: seconds(300, 0),
    limits_seconds: seconds(30, 0),
    networks_seconds: seconds(30, 0),
    transition_seconds: seconds(1, 0),
  }),
  rate_limits: section({
    login: perMinute(30),
    login_failures: perMinute(10),
    login_failures_by_name: perMinute(100),
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
  }),
  time_limits: section({
    upstream_request_seconds: wait(30),
    sync_create_seconds: wait(900),
    volume_seconds: wait(600),
    share_seconds: wait(300),
    server_seconds: wait(600),
    attach_seconds: wait(180),
    step_retry_seconds: wait(60, 0),
    undo_seconds: wait(300),
    delete_accept_seconds: wait(30),
    build_seconds: wait(1800),
    build_accept_seconds: wait(30),
  }),
  jobs: section({
    queues: Joi.array()
      .items(Joi.string().valid(...QUEUES))
      .min(1)
      .unique()
      .default([...QUEUES]),
    concurrency: section({ provisioning: count(10), cleanup: count(10), upkeep: count(5) }),
    keep_seconds: seconds(86_400, 60),
    poll_interval_ms: Joi.number().integer().min(50).max(60_000).default(1000),
    lock_seconds: wait(10, 2),
    delegate_below_seconds: seconds(3600, 0),
    faulty_runs: count(10),
    project_running_limit: Joi.number().integer().min(0).default(10),
    project_waiting_limit: Joi.number().integer().min(0).default(100),
    sweep_seconds: seconds(60, 1),
    late_call_seconds: seconds(120, 0),
    look_again_seconds: seconds(900, 0),
  }),
  instances: section({
    default_network_id: id(),
    external_network_id: id(),
    boot_volume_size_gb: sizeGb(20),
    upper_volume_size_gb: sizeGb(50),
    dynamic_share_size_gb: sizeGb(20),
    gpu_driver_packages: Joi.array().items(packageName()).default([]),
  }),
  file_storage: section({
    share_proto: Joi.string().valid('NATIVEFS', 'NFS').default('NATIVEFS'),
    share_type: section({ nativefs: id(), nfs: id() }),
    share_network_id: id(),
  }),
  builds: section({ image: id(), flavor: id(), network: id(), boot_volume_size_gb: sizeGb(20) }),
  libraries: Joi.array().items(librarySchema),
  log: section({
    level: Joi.string().valid('error', 'warn', 'info', 'debug').default('info'),
    format: Joi.string().valid('auto', 'json', 'text').default('auto'),
  }),
});
