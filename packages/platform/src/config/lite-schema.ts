import Joi from 'joi';
import { registryRewrites } from './registry-rewrite.ts';
import {
  baseUrl,
  file,
  httpUrl,
  id,
  packageName,
  seconds,
  section,
  sha256,
  sizeGb,
  text,
  timerSeconds,
} from './schema-types.ts';

const cidrs = (defaultValue: string[]) =>
  Joi.array()
    .items(Joi.string().ip({ cidr: 'required' }))
    .default(defaultValue);
const ipv4Cidr = () => Joi.string().ip({ version: 'ipv4', cidr: 'required' });
const k3sRelease = () =>
  text()
    .pattern(/^v\d+\.\d+\.\d+\+k3s\d+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a release of k3s, as v1.36.1+k3s1' });
const flag = () => Joi.boolean().default(false);

/** The section `lite` of the file. */
export const liteSchema = section({
  image: id(),
  server_flavor: id(),
  agent_flavor: id(),
  network_id: id(),
  identity_url: httpUrl().allow(null).default(null),
  server_volume_size_gb: sizeGb(40),
  agent_volume_size_gb: sizeGb(40),
  k3s: section({
    version: k3sRelease().default('v1.36.1+k3s1'),
    upgrade_versions: Joi.array().items(k3sRelease()).unique().default([]),
    installer_url: httpUrl().default('https://get.k3s.io'),
    installer_sha256: sha256().allow(null).default(null),
    channel_url: httpUrl().allow(null).default(null),
    artifact_url: httpUrl().allow(null).default(null),
    registries: Joi.array()
      .items(
        Joi.object({
          name: text()
            .pattern(/^[a-z0-9.*-]+(:\d+)?$/)
            .messages({ 'string.pattern.base': '{{#label}} must be the host of a registry' })
            .required(),
          endpoint: baseUrl().required(),
          rewrite: registryRewrites(),
        }),
      )
      .default([]),
    registry_credentials: Joi.array()
      .items(
        Joi.object({
          host: text()
            .pattern(/^[\w.:[\]-]+$/)
            .messages({ 'string.pattern.base': '{{#label}} must be the host of a mirror, without its path' })
            .required(),
          username: text()
            .pattern(/^[^\s:\p{Cc}]+$/u)
            .messages({ 'string.pattern.base': '{{#label}} must be a user name without blanks and colons' })
            .required(),
          password_file: file(),
          password_variable: Joi.string()
            .pattern(/^GATEWAY_REGISTRY_\w+$/)
            .messages({
              'string.pattern.base':
                '{{#label}} must be the name of a variable that begins with GATEWAY_REGISTRY_',
            })
            .allow(null)
            .default(null),
        }),
      )
      .unique('host')
      .messages({ 'array.unique': '{{#label}} has the host of an earlier one' })
      .default([]),
  }),
  pod_cidr: ipv4Cidr().default('10.42.0.0/16'),
  service_cidr: ipv4Cidr().default('10.43.0.0/16'),
  floating_ip: flag(),
  allowed_from: section({
    api: cidrs(['0.0.0.0/0']),
    http: cidrs([]),
    node_ports: cidrs([]),
    ssh: cidrs([]),
  }),
  health: section({
    interval_seconds: timerSeconds(180),
    keep_seconds: timerSeconds(600),
    request_seconds: timerSeconds(5),
  }),
  plugins: section({
    cloud_controller_enabled: flag(),
    block_csi_enabled: flag(),
    file_csi_enabled: flag(),
    lb_ingress_enabled: flag(),
    identity_auth_enabled: flag(),
    secrets_kms_enabled: flag(),
    gpu_enabled: Joi.boolean().default(true),
  }),
  gpu: section({
    driver_packages: Joi.array().items(packageName()).allow(null).default(null),
    container_toolkit_packages: Joi.array().items(packageName()).default([]),
  }),
  load_balancer_provider: id(),
  volume_type: id(),
  node_volume_limit: Joi.number().integer().min(1).max(256).default(24),
  use_reported_address: flag(),
  never_contacted: cidrs([
    '0.0.0.0/8',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '::/96',
    'fe80::/10',
    'ff00::/8',
  ]),
  limit_credentials: Joi.boolean().default(true),
  deleted_keep_seconds: seconds(7_776_000, 3600),
});
