import Joi from 'joi';
import {
  type CamelCase,
  choice,
  file,
  flag,
  httpUrl,
  integer,
  keyed,
  list,
  OPERATOR,
  optional,
  secretVariable,
  section,
  text,
  variable,
} from './kinds.ts';

const SERVICES = [
  'identity',
  'compute',
  'image',
  'block_storage',
  'network',
  'shared_file_system',
  'load_balancer',
  'container_infra',
  'container',
  'placement',
  'orchestration',
  'key_manager',
] as const;

/** The services by the gateway's neutral names. */
export type ServiceName = CamelCase<(typeof SERVICES)[number]>;

function byService<Value>(
  setting: Joi.AnySchema<Value>,
): Joi.ObjectSchema<Partial<Record<ServiceName, Value>>> {
  return Joi.object(Object.fromEntries(SERVICES.map((service) => [service, setting]))).default();
}

/** A URL that may contain `%(project_id)s`. */
const endpoint = () =>
  Joi.string()
    .pattern(/^https?:\/\/[^\s@]+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a URL of http or https' });

export const identitySettings = section({
  url: httpUrl()
    .required()
    .description('URL of the identity service, with or without /v3.')
    .meta(variable('OS_AUTH_URL'))
    .example('http://127.0.0.1:5000/v3')
    .tag(OPERATOR),
  region: text()
    .default('RegionOne')
    .description('Region of the endpoints.')
    .meta(variable('OS_REGION_NAME'))
    .tag(OPERATOR),
  interface: choice('public', 'internal', 'admin')
    .default('public')
    .description('Interface of the endpoints from the catalog: public, internal or admin.')
    .meta(variable('OS_INTERFACE'))
    .tag(OPERATOR),
  ca_file: file()
    .description('PEM file of certificate authorities for the services; null for those of the system.')
    .meta(variable('OS_CACERT'))
    .tag(OPERATOR),
  cert_file: file()
    .description("PEM file of the gateway's own certificate, if the services ask clients for one.")
    .meta(variable('OS_CERT')),
  key_file: file().description('PEM file of its private key.').meta(variable('OS_KEY')),
  endpoints: byService(endpoint())
    .description('Endpoints that override the catalog. The id of the project replaces %(project_id)s.')
    .example({
      identity: 'http://127.0.0.1:5000/v3',
      compute: 'http://127.0.0.1:8774/v2.1',
      image: 'http://127.0.0.1:9292',
      block_storage: 'http://127.0.0.1:8776/v3/%(project_id)s',
      network: 'http://127.0.0.1:9696',
      shared_file_system: 'http://127.0.0.1:8786/v2',
      load_balancer: 'http://127.0.0.1:9876',
      container_infra: 'http://127.0.0.1:9511/v1',
      container: 'http://127.0.0.1:9517/v1',
      placement: 'http://127.0.0.1:8778',
      orchestration: 'http://127.0.0.1:8004/v1/%(project_id)s',
      key_manager: 'http://127.0.0.1:9311/v1',
    }),
  admin_role: text().default('admin').description('Role that makes a caller an administrator.').tag(OPERATOR),
  admin_scope: section({
    projects: list(
      keyed({
        project: text().required().description('Id or name of the project.'),
        domain: text().default('Default').description('Name or id of its domain, for a name.'),
      }),
    )
      .description('These projects, each by id, or by name with the name or id of its domain.')
      .example([{ project: 'admin', domain: 'Default' }])
      .tag(OPERATOR),
    domains: list(text()).description('All projects of these domains, by name or id.'),
    admin_project: flag().description(
      "The project that the identity service calls the administrators' ([resource] admin_project_name).",
    ),
  }).description(
    'Where this role counts. With nothing selected it counts in every project, so that whoever ' +
      'administers a project of their own with it also sees the whole cloud.',
  ),
  reader_roles: list(text())
    .default(['reader'])
    .description(
      'Read-only roles. Callers with no other role cannot change what the gateway itself stores: ' +
        'clusters, auto backups, jobs.',
    ),
}).description('The identity service of the cloud.');

export const upstreamSettings = section({
  proxy: optional(
    Joi.string()
      .uri({ scheme: 'http' })
      // A password could be in a message of the value.
      .messages({ 'string.uriCustomScheme': '{{#label}} must be a URL of http' }),
  )
    .description(
      'URL of an HTTP proxy for all calls to the services; null for direct connections. With a ' +
        'password, leave it out here and set the variable.',
    )
    .meta(secretVariable('GATEWAY_UPSTREAM_PROXY'))
    .tag(OPERATOR),
  no_proxy: list(
    Joi.alternatives<string>()
      .try(Joi.string().ip({ cidr: 'optional' }), Joi.string().pattern(/^(?:\*?\.)?[\w-]+(?:\.[\w-]+)*$/))
      .messages({ 'alternatives.match': '{{#label}} must be a host, a domain, an address or a network' }),
  )
    .description(
      'Hosts, domains (with all hosts below them), addresses and networks that are reached without the ' +
        'proxy. Loopback addresses always are.',
    )
    .meta(variable('GATEWAY_UPSTREAM_NO_PROXY')),
  max_concurrent_calls: integer(32, 1, 1000).description(
    'Maximum calls in flight to each service. Further calls wait in a queue, writes before reads.',
  ),
  services: byService(Joi.number().integer().min(1).max(1000))
    .description('The same for specific services.')
    .example({
      identity: 32,
      compute: 32,
      image: 32,
      block_storage: 32,
      network: 32,
      shared_file_system: 32,
      load_balancer: 32,
      container_infra: 32,
      container: 32,
      placement: 32,
      orchestration: 32,
      key_manager: 32,
    }),
}).description('The way to the services of the cloud, and limits on the load that one process puts on them.');

export const serviceUserSettings = optional(
  keyed({
    username: text().required().description('Name of the user.').meta(variable('GATEWAY_SERVICE_USERNAME')),
    user_domain: text().default('Default').description("Name or id of the user's domain."),
    project_name: text()
      .required()
      .description('Name of the project.')
      .meta(variable('GATEWAY_SERVICE_PROJECT')),
    project_domain: text().default('Default').description("Name or id of the project's domain."),
    check_seconds: integer(120, 1, 3600)
      .unit('seconds')
      .description(
        'How often each process logs in as this user to see that its password and its roles are right.',
      ),
  }),
)
  .description(
    "The gateway's own user: continues jobs after the user's token has expired, and owns the shares " +
      'of prebuilt libraries. Without it, a job whose token expires fails and leaves its resources ' +
      'behind.',
  )
  .example({
    username: 'gateway',
    user_domain: 'Default',
    project_name: 'service',
    project_domain: 'Default',
    check_seconds: 120,
  })
  .tag(OPERATOR);
