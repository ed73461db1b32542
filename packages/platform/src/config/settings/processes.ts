import Joi from 'joi';
import {
  baseUrl,
  choice,
  file,
  flag,
  integer,
  keyed,
  list,
  network,
  networks,
  OPERATOR,
  optional,
  RELOADS,
  seconds,
  section,
  text,
  timerSeconds,
  variable,
} from './kinds.ts';

/** Becomes a label of metrics, and part of queries. */
const gatewayName = () =>
  Joi.string()
    .max(63)
    .pattern(/^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/)
    .messages({
      'string.pattern.base':
        '{{#label}} may contain only letters, digits and _ . -, and begins and ends with a letter or digit',
    });
const origin = () =>
  Joi.string()
    .pattern(/^https?:\/\/[^/?#\s@]+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be an origin, as https://dashboard.example.org' });

export const gatewaySettings = section({
  name: gatewayName()
    .default('gateway')
    .description(
      'Name of the gateway: up to 63 letters, digits and _ . -. All its processes have the same. ' +
        'Metrics have it as the label "gateway" beside the label "region", log lines and traces as ' +
        'fields.',
    )
    .meta(variable('GATEWAY_NAME'))
    .tag(OPERATOR),
}).description(
  'Distinguishes this gateway from others that share a Prometheus, a log or a receiver of traces.',
);

export const listenSettings = section({
  host: Joi.string()
    .hostname()
    .default('127.0.0.1')
    .description('Address to listen on.')
    .meta(variable('HOST'))
    .tag(OPERATOR),
  api_port: Joi.number()
    .port()
    .default(8000)
    .description('Port of the api process.')
    .meta(variable('PORT'))
    .tag(OPERATOR),
  worker_port: Joi.number()
    .port()
    .default(8001)
    .description("Port of a worker's health and metrics.")
    .meta(variable('WORKER_PORT'))
    .tag(OPERATOR),
  cert_file: file()
    .description(
      'PEM file of the certificate, with its chain, with which both listen with TLS; null for no TLS.',
    )
    .meta(variable('TLS_CERT_FILE'))
    .tag(OPERATOR),
  key_file: file().description('PEM file of its private key.').meta(variable('TLS_KEY_FILE')).tag(OPERATOR),
}).description('Addresses of the processes.');

export const httpSettings = section({
  body_limit_bytes: integer(1_048_576, 1024, 104_857_600)
    .unit('bytes')
    .description('Maximum size of a request body.'),
  request_timeout_seconds: seconds(30).description(
    'Maximum time to receive a request, from its first byte to the last byte of its body; after that 408.',
  ),
  cors_origins: list(origin())
    .description('Allowed CORS origins, such as https://dashboard.example.org.')
    .example(['https://dashboard.example.org'])
    .tag(OPERATOR),
  cors_local_origins: flag()
    .description(
      'Also allows pages that the machine of the browser itself serves, at any port of localhost: development ' +
        'servers. `npm start` sets it.',
    )
    .meta(variable('GATEWAY_CORS_LOCAL_ORIGINS')),
  trusted_proxies: networks()
    .description(
      'Addresses or networks of the proxies whose X-Forwarded-For and X-Forwarded-Prefix are trusted. ' +
        'Others must not be able to set these headers through them.',
    )
    .tag(OPERATOR),
  forward_client_address: flag().description(
    "Whether calls on behalf of a client contain its address as X-Forwarded-For. The cloud's services " +
      "must trust the gateway's addresses as proxies.",
  ),
  heartbeat_seconds: timerSeconds(15).description(
    'Interval of the comment lines that keep an idle event stream open.',
  ),
  streams_per_user: integer(100, 0)
    .meta(RELOADS)
    .description(
      'Maximum open event streams of one user at one api process; more fail with 429. 0 for no limit.',
    ),
  streams_per_process: integer(10_000, 0)
    .meta(RELOADS)
    .description('Maximum open event streams of one api process; each takes about 40 KiB. 0 for no limit.'),
  stream_ticket_seconds: seconds(60).description(
    'Lifetime of a ticket, with which a browser opens an event stream without headers.',
  ),
  idempotency_seconds: seconds(86_400, 60).description(
    'How long an Idempotency-Key and its response are stored; for jobs at most jobs.keep_seconds.',
  ),
  idempotency_refusal_seconds: seconds(60).description(
    'How long a 4xx response to an Idempotency-Key is stored.',
  ),
  idempotency_keys_per_user: integer(10_000, 0)
    .meta(RELOADS)
    .description(
      'Maximum stored Idempotency-Keys of one user, and of each application credential; more fail with ' +
        '429. 0 for no limit.',
    ),
}).description('Requests to the api, and event streams.');

export const publicEndpointSettings = section({
  url: optional(baseUrl())
    .description(
      'URL, such as https://gateway.example.org. Builders of libraries and nodes of lite clusters ' +
        'report to it. null if they cannot reach the api; neither can be created then.',
    )
    .meta(variable('GATEWAY_PUBLIC_URL'))
    .tag(OPERATOR),
  ca_file: file()
    .description(
      'PEM file of the certificate authority for this URL, if machines do not trust it by default. ' +
        'Certificates only, no key.',
    )
    .tag(OPERATOR),
}).description('The api as browsers and machines in the cloud reach it.');

export const siteSettings = section({
  name: text().default('Cloud Gateway').description('Name of the site, shown to users.').tag(OPERATOR),
  refresh_interval_ms: integer(15_000, 1000, 3_600_000)
    .unit('milliseconds')
    .description('Refresh interval of the dashboard.'),
  sisters: list(
    keyed({
      name: text().required().description('Name of the site, shown to users.'),
      region: text().required().description('Its region.'),
      url: baseUrl().required().description('URL of its api, as browsers reach it.'),
    }),
  )
    .description('Gateways of other regions, which a dashboard can offer.')
    .example([{ name: 'Cloud Gateway North', region: 'RegionTwo', url: 'https://gateway-two.example.org' }])
    .tag(OPERATOR),
}).description('Information for the dashboard.');

export const servicesSettings = section({
  lite: flag(true).description('Lite clusters.').tag(OPERATOR),
  shared_fs: flag(true).description('Shared file systems and libraries.').tag(OPERATOR),
  container_infra: flag(true).description('Managed clusters.').tag(OPERATOR),
  container: flag().description('Containers.').tag(OPERATOR),
}).description('Optional services. Endpoints of a disabled service respond with 404.');

export const webhooksSettings = section({
  allowed_networks: list(network())
    .description(
      'Addresses or networks to which webhooks may be sent although they are not public, such as those of the ' +
        "site's own chat or ticket system. Members of any project can have webhooks sent there.",
    )
    .example(['10.20.0.0/24'])
    .tag(OPERATOR),
  allow_http: flag().description('Whether the URL of a webhook may begin with http://, without TLS.'),
}).description('Messages to URLs that members and administrators choose.');

export const metricsSettings = section({
  allowed_from: networks()
    .description('Addresses or networks that may read them; empty for any.')
    .meta(RELOADS)
    .tag(OPERATOR),
}).description('Metrics of the api processes and the workers.');

export const tracingSettings = section({
  endpoint: optional(baseUrl())
    .description('URL of the receiver, to which /v1/traces is appended; null for no traces.')
    .meta(variable('OTEL_EXPORTER_OTLP_ENDPOINT'))
    .tag(OPERATOR),
  sample_ratio: Joi.number()
    .min(0)
    .max(1)
    .default(1)
    .description(
      'Sampling ratio of traces, from 0 to 1. A caller that sends `traceparent` decides for its own ' +
        'requests.',
    )
    .meta(variable('OTEL_TRACES_SAMPLER_ARG')),
}).description(
  'Traces of requests and jobs, exported over OTLP/HTTP. The variables of OpenTelemetry for ' +
    'headers, certificates and compression of exports, such as OTEL_EXPORTER_OTLP_HEADERS, apply as ' +
    'well.',
);

export const opsSettings = section({
  enabled: flag().description('Serves the page.').meta(variable('GATEWAY_OPS_ENABLED')).tag(OPERATOR),
  allow_changes: flag()
    .description(
      'Allows administrators to pause and resume queues and to run a deferred job at once, also at ' +
        '/api/admin/queues. Otherwise the page is read-only.',
    )
    .tag(OPERATOR),
}).description(
  "The operators' page of the api processes at /ops, for administrators: queues, jobs and their " +
    'failures, and charts of the cloud.',
);

export const logSettings = section({
  level: choice('error', 'warn', 'info', 'debug')
    .default('info')
    .description('error, warn, info or debug.')
    .meta(variable('LOG_LEVEL'))
    .meta(RELOADS)
    .tag(OPERATOR),
  format: choice('auto', 'json', 'text')
    .default('auto')
    .description('json, text, or auto: text in a terminal and JSON otherwise.')
    .tag(OPERATOR),
}).description('The log of each process.');
