import Joi from 'joi';
import { file, integer, OPERATOR, optional, RELOADS, seconds, section, timerSeconds } from './kinds.ts';

export const cacheSettings = section({
  instances_seconds: seconds(15, 0).description('Instances.'),
  volumes_seconds: seconds(15, 0).description('Volumes.'),
  images_seconds: seconds(300, 0).description('Images.'),
  flavors_seconds: seconds(300, 0).description('Flavors.'),
  limits_seconds: seconds(30, 0).description("Limits, quotas and the dashboard's overview."),
  networks_seconds: seconds(30, 0).description(
    'Networks, routers, topology, floating IPs and load balancers.',
  ),
  security_groups_seconds: seconds(60, 0).description('Security groups.'),
  file_storages_seconds: seconds(30, 0).description('File storages.'),
  libraries_seconds: seconds(60, 0).description('Libraries and their prebuilt shares.'),
  admin_seconds: seconds(30, 0).description('Lists of the whole cloud, for administrators.'),
  names_seconds: seconds(60, 0).description(
    'Names of projects, roles, groups, and the hosts with GPUs, for administrators.',
  ),
  quotas_seconds: seconds(300, 0).description(
    'Quotas of each project in the usage by project, for administrators. Reading them takes two calls ' +
      'for each project.',
  ),
  choices_seconds: seconds(300, 0).description(
    'What forms offer: availability zones, volume and share types, share networks, cluster templates, ' +
      'and networks with a DNS domain.',
  ),
  transition_seconds: timerSeconds(1, 0).description(
    'Maximum lifetime of a list with an item in transition.',
  ),
  transition_limit_seconds: seconds(1800).description(
    'How long an item counts as in transition, also for the polls of events: longer than the cloud ' +
      'needs for the change of an item, such as the image of a large volume. One that stays in its ' +
      'state for longer, by its own time of change or because the gateway has seen it so, does not make ' +
      'its list be read more often.',
  ),
  process_bytes: integer(16_777_216, 0, 1_073_741_824)
    .unit('bytes')
    .description('Maximum memory for the lists that an api process serves; 0 reads each list from Redis.'),
}).description('Lifetimes of cached lists; 0 disables a cache.');

export const eventsSettings = section({
  interval_seconds: section({
    instances: timerSeconds(15, 0).description('Instances.'),
    volumes: timerSeconds(15, 0).description('Volumes.'),
    snapshots: timerSeconds(30, 0).description('Snapshots of volumes.'),
    backups: timerSeconds(30, 0).description('Backups, auto backups and transfers of volumes.'),
    images: timerSeconds(120, 0).description('Images of the project.'),
    keypairs: timerSeconds(120, 0).description('Key pairs, for each user who listens.'),
    networks: timerSeconds(60, 0).description('Networks, routers and floating IPs.'),
    security_groups: timerSeconds(120, 0).description('Security groups.'),
    load_balancers: timerSeconds(30, 0).description('Load balancers.'),
    file_storages: timerSeconds(30, 0).description('File storages.'),
    containers: timerSeconds(30, 0).description('Containers.'),
    clusters: timerSeconds(30, 0).description('Managed clusters.'),
    lite_clusters: timerSeconds(5, 0).description(
      'Lite clusters. The gateway has their states itself, so a poll calls no service.',
    ),
  }).description(
    'Seconds between two polls of a list of a project while somebody listens to its changes, however ' +
      'many listeners and api processes there are. Changes by the gateway do not wait for them, and ' +
      'with 0 hardly any other is noticed.',
  ),
  transition_seconds: timerSeconds(2).description('The same for a list with an item in transition.'),
  log_length: integer(5_000, 10, 1_000_000).description(
    'How many changes the log of a project keeps, for listeners that connect again.',
  ),
  keep_seconds: timerSeconds(3_600, 60).description(
    'How long changes are logged after the last listener of a project has disconnected.',
  ),
}).description('What listeners learn of changes in their projects (GET /api/events).');

export const timeSeriesSettings = section({
  keep_seconds: seconds(3_024_000, 86_400).description(
    'How long a count is stored; the longest range that can be read is 30 days.',
  ),
}).description(
  'Hourly counts of the resources of the cloud, for administrators. They require a service user who ' +
    'is an administrator.',
);

/** Without user, query and fragment. Only a receiver on the same machine is reached without encryption. */
const RECEIVER =
  /^(?:file:\/\/\/[^?#]+|syslog\+(?:udp|tcp|tls):\/\/[^/?#@]+\/?|https:\/\/[^?#@]+|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:\/[^?#@]*)?)$/;

export const auditSettings = section({
  keep_seconds: seconds(7_776_000, 3600).meta(RELOADS).description('How long a record is stored.'),
  max_records: integer(100_000, 1000, 1_000_000)
    .meta(RELOADS)
    .description(
      'Maximum number of stored records of each of the three kinds, about 0.5 KiB each. The oldest are ' +
        'deleted first.',
    ),
  stream: section({
    url: optional(
      Joi.string()
        .uri()
        .pattern(RECEIVER)
        .messages({
          'string.pattern.base':
            '{{#label}} must be a URL such as https://audit.example.org/events, syslog+tls://audit.example.org:6514 or ' +
            'file:///var/log/gateway/audit.jsonl; http:// only of the same machine',
        }),
    )
      .description(
        'Receiver of a stream of all writes, log-ins and ends of jobs in the form CADF: https://, ' +
          'syslog+tls://, syslog+tcp://, syslog+udp:// or file:///, which is a file of the worker. ' +
          'AUDIT_STREAM_TOKEN is the token for https://. null for no stream.',
      )
      .tag(OPERATOR),
    ca_file: file().description(
      'PEM file of the certificate authority of the receiver, if it is none of the system.',
    ),
    max_waiting: integer(100_000, 1000, 10_000_000).description(
      'Maximum number of events, about 1 KiB each, that wait in Redis while the receiver is unavailable. Further ' +
        'ones are dropped. Refusals may take half of them.',
    ),
  }).description('The audit stream.'),
}).description(
  "Records of administrators' changes, of log-ins, log-outs and project switches, and of their " +
    'refusals. The log also contains a line for each.',
);

export const historySettings = section({
  keep_seconds: seconds(7_776_000, 3600).description('How long an entry is stored.'),
  max_records: integer(2000, 0, 100_000).description(
    'Maximum number of entries of each project, about 1 KiB each, and of a quarter as many that were ' +
      'refused or have failed. The oldest of each are deleted first. 0: no history.',
  ),
  max_total_records: integer(300_000, 0, 100_000_000).description(
    'Maximum number of entries of all projects together, about 1.1 KB each. The oldest of the longest ' +
      'histories are deleted first, also while the store has used three quarters of its memory. 0 for ' +
      'no limit.',
  ),
})
  .description(
    'The history of each project: what its members have changed, and how it ended (GET /api/history).',
  )
  .meta(RELOADS);
