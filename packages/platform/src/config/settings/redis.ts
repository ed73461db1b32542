import Joi from 'joi';
import { file, integer, list, OPERATOR, optional, secretVariable, section, text, variable } from './kinds.ts';

const redisUrl = () => Joi.string().uri({ scheme: ['redis', 'rediss'] });
const redisServers = () =>
  list(
    Joi.string()
      .pattern(/^(?:[\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}$/)
      .messages({ 'string.pattern.base': '{{#label}} must be host:port' }),
  );

export const redisSettings = section({
  url: redisUrl()
    .default('redis://127.0.0.1:6379')
    .description(
      'Stores queues, progress, records, sessions and counters; needs `noeviction` and an append-only ' +
        'file. With Sentinels or a Cluster, only its scheme, user, password and database are used.',
    )
    .meta(secretVariable('REDIS_URL'))
    .tag(OPERATOR),
  sentinels: redisServers()
    .description('host:port of the Sentinels.')
    .meta(variable('REDIS_SENTINELS'))
    .tag(OPERATOR),
  sentinel_name: optional(text())
    .description("The Sentinels' name for the primary and its replicas.")
    .meta(variable('REDIS_SENTINEL_NAME'))
    .tag(OPERATOR),
  sentinel_username: optional(text())
    .description('User of the Sentinels, if they know users.')
    .meta(variable('REDIS_SENTINEL_USERNAME')),
  cluster_nodes: redisServers()
    .description('host:port of some nodes of a Redis Cluster.')
    .meta(variable('REDIS_CLUSTER_NODES'))
    .tag(OPERATOR),
  wait_for_replicas: integer(0, 0, 10)
    .description(
      'Number of replicas that must acknowledge a new job, and each step of it, before work continues, ' +
        'so that a failover loses nothing. The wait ends after a short timeout. Use 1 for a primary with ' +
        'one replica.',
    )
    .meta(variable('REDIS_WAIT_FOR_REPLICAS'))
    .tag(OPERATOR),
  cache_url: optional(redisUrl())
    .description('Redis for cached lists; may evict keys. null for the Redis above.')
    .meta(secretVariable('CACHE_REDIS_URL'))
    .tag(OPERATOR),
  ca_file: file().description(
    'PEM file of certificate authorities for rediss: in the two URLs; null for those of the system.',
  ),
  cert_file: file().description("PEM file of the gateway's own certificate, if Redis asks clients for one."),
  key_file: file().description('PEM file of its private key.'),
  server_name: optional(Joi.string().hostname()).description(
    'Name in the certificates of the servers and Sentinels of the store; null if they have their ' +
      'addresses.',
  ),
  key_prefix: Joi.string()
    .allow('')
    .max(64)
    .pattern(/^[\w:-]*$/)
    .messages({ 'string.pattern.base': '{{#label}} may contain only letters, digits and _ : -' })
    .default('gateway:')
    .description(
      'Prefix of every key, so that several gateways can share one Redis. It belongs to the region and ' +
        'cloud of the first process that uses it; processes of others exit with 78.',
    )
    .meta(variable('REDIS_KEY_PREFIX'))
    .tag(OPERATOR),
}).description('The store, and the Redis of cached lists.');
