import Joi from 'joi';
import { flag, integer, keyed, list, network, OPERATOR, RELOADS, seconds, section } from './kinds.ts';

const perMinute = (defaultValue: number) => integer(defaultValue, 0, 1_000_000).unit('per minute');
const perHour = (defaultValue: number) => integer(defaultValue, 0, 1_000_000).unit('per hour');

export const sessionSettings = section({
  length_seconds: seconds(3600, 60).description('Length of a session without extension.'),
  warning_seconds: seconds(300, 0).description(
    "How long before the session's end to warn the user; less than the length.",
  ),
  absolute_seconds: seconds(14_400, 60).description('Maximum length with extensions; at least the length.'),
  token_cache_seconds: seconds(30, 0).description(
    'How long a validated token is cached. A revoked token, a removed role or a disabled user is ' +
      'still accepted for at most this time. With 0, the identity service validates every request.',
  ),
  cookies: flag()
    .description(
      "Allows `use_cookie` in log-ins and single sign-on, for dashboards at the gateway's own origin: " +
        'the token is then in a cookie that their scripts cannot read. Set public_endpoint.url to the ' +
        "https address of that origin. The operators' page has such cookies with ops.enabled alone.",
    )
    .tag(OPERATOR),
}).description('Sessions of users.');

export const rateLimitsSettings = section({
  login: perMinute(300).description('Log-ins per client address, also those that succeed.'),
  login_failures_by_address: perMinute(30).description('Failed log-ins per client address.'),
  login_failures: perMinute(10).description('Failed log-ins per user name and address.'),
  login_failures_by_name: perMinute(100).description(
    'Failed log-ins per user name, from all addresses without a successful log-in of that user in the ' +
      'last 30 days.',
  ),
  passcode_failures: perHour(20).description(
    'Wrong passcodes per user and hour, from all addresses, besides the limits of failed log-ins.',
  ),
  refusals: perMinute(60).description(
    'Rejected tokens per address, and rejected projects per user. Does not affect tokens that were ' +
      'valid before.',
  ),
  password: perMinute(5).description(
    'Password changes. This limit and the following ones count per user and project.',
  ),
  scope_switch: perMinute(30).description('Switches to another project.'),
  instance_create: perMinute(30).description(
    'Creations of instances. This limit and the other ones of creations count no request that is ' +
      'refused for its input or for a state.',
  ),
  volume_create: perMinute(60).description('Creations of volumes.'),
  file_storage_create: perMinute(5).description('Creations of file storages.'),
  container_create: perMinute(10).description('Creations of containers.'),
  managed_cluster_create: perMinute(5).description('Creations of managed clusters.'),
  lite_create: perMinute(5).description('Creations of lightweight clusters.'),
  lite_scale: perMinute(10).description(
    'Changes of lightweight clusters: scalings, repairs, upgrades and replacements of the credential, ' +
      'together.',
  ),
  lite_health_check: perMinute(3).description('Manual health checks of lightweight clusters.'),
  stream_ticket: perMinute(300).description('Tickets for event streams.'),
  callback: perMinute(10).description(
    'Reports of machines: per machine with a valid token, per address without one. The progress of a ' +
      'machine counts apart from its result.',
  ),
  build: perMinute(5).description('Builds of libraries.'),
  ops_change: perMinute(60).description('Changes of queues.'),
  webhook_test: perMinute(10).description('Test messages to webhooks, by all users of a project together.'),
  shared_networks: list(
    keyed({
      network: network()
        .required()
        .description('An address or a network. All addresses of an IPv6 /56 count as one.'),
      factor: Joi.number()
        .integer()
        .min(1)
        .max(1000)
        .required()
        .description('By how much the limits are multiplied.'),
    }),
  )
    .description(
      'Networks whose users share addresses, such as a campus behind one: there, the limits of log-ins ' +
        'and of rejected tokens that count by address are this many times as high.',
    )
    .example([{ network: '198.51.100.0/24', factor: 20 }]),
})
  .description(
    'Requests per minute unless a limit says otherwise, counted across all processes; 0 disables a limit.',
  )
  .meta(RELOADS);
