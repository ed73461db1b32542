import { type AutoBackups, createAutoBackups } from '@gateway/auto-backup';
import { Sealer } from '@gateway/core';
import { GpuQuotaStore, TimeSeriesStore } from '@gateway/inventory';
import {
  Callbacks,
  ChangeLog,
  type CredentialMakerIntent,
  CredentialStore,
  type DelegationIntent,
  Intents,
  jobKeys,
  KeptTokens,
  MachineFailures,
  Producer,
  Queues,
  StoreUse,
} from '@gateway/jobs';
import { FirstBoots } from '@gateway/libraries';
import { HealthResults, KubeconfigRenewals, LiteClusterStore } from '@gateway/lite';
import type { DelegatedIdentity } from '@gateway/openstack';
import { runningLimits } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import { NearlyFullQuotas, WebhookStore } from '@gateway/webhooks';
import type { Cloud } from './open-cloud.ts';
import type { StartedProcess } from './process-parts.ts';

/** 400 days. An instance reports at each start, and one that runs for longer without a start is rare. */
const WORKSPACE_KEEP_SECONDS = 400 * 86_400;

/** A result outlives the next check, which may be late. */
const healthKeepSeconds = (intervalSeconds: number) => Math.max(600, 2 * intervalSeconds);

/** The stores in Redis, and the queues. */
export interface Stores {
  readonly sealer: Sealer;
  readonly queues: Queues;
  readonly producer: Producer<DelegatedIdentity>;
  readonly changes: ChangeLog;
  readonly credentials: CredentialStore<DelegatedIdentity>;
  readonly delegationIntents: Intents<DelegationIntent>;
  readonly credentialMakerIntents: Intents<CredentialMakerIntent>;
  readonly keptTokens: KeptTokens;
  readonly callbacks: Callbacks;
  readonly machineFailures: MachineFailures;
  readonly firstBoots: FirstBoots;
  readonly autoBackups: AutoBackups;
  readonly liteClusters: LiteClusterStore;
  readonly kubeconfigRenewals: KubeconfigRenewals;
  readonly liteClusterHealth: HealthResults;
  readonly gpuQuotas: GpuQuotaStore;
  readonly timeSeries: TimeSeriesStore;
  readonly storeUse: StoreUse;
  readonly webhooks: WebhookStore;
  readonly nearlyFullQuotas: NearlyFullQuotas;
}

export function createStores(
  { config, metrics, tracing, clock, closers }: StartedProcess,
  { store: redis, queue }: RedisConnections,
  { delegations }: Cloud,
): Stores {
  const sealer = new Sealer(config.secrets.sealingKeys, (keyId) => metrics.sealingKeyMissing(keyId));
  const queues = new Queues(queue, config.redis.keyPrefix, runningLimits(config.jobs));
  closers.add('queues', () => queues.close());
  const credentials = new CredentialStore<DelegatedIdentity>(redis, sealer);
  const { keepSeconds } = config.jobs;
  const { adminRole } = config.identity;
  return {
    sealer,
    queues,
    producer: new Producer(redis, queues, credentials, {
      get waitingLimit() {
        return config.jobs.projectWaitingLimit;
      },
      tracing,
    }),
    changes: new ChangeLog(redis, {
      length: config.events.logLength,
      keepSeconds: config.events.keepSeconds,
    }),
    credentials,
    delegationIntents: new Intents(redis, jobKeys.delegationIntents),
    credentialMakerIntents: new Intents(redis, jobKeys.credentialMakerIntents),
    keptTokens: new KeptTokens(redis, sealer),
    callbacks: new Callbacks({ redis, sealer, keepSeconds }),
    machineFailures: new MachineFailures({ redis, sealer }),
    firstBoots: new FirstBoots({ redis, clock, keepSeconds: WORKSPACE_KEEP_SECONDS }),
    autoBackups: createAutoBackups({ redis, queues, sealer, delegations, adminRole, clock }),
    liteClusters: new LiteClusterStore({ redis, sealer }),
    kubeconfigRenewals: new KubeconfigRenewals({ redis, sealer }),
    liteClusterHealth: new HealthResults(redis, healthKeepSeconds(config.lite.health.intervalSeconds)),
    gpuQuotas: new GpuQuotaStore(redis),
    timeSeries: new TimeSeriesStore({ redis, keepSeconds: config.timeSeries.keepSeconds }),
    storeUse: new StoreUse(redis, config.jobs),
    webhooks: new WebhookStore(redis),
    nearlyFullQuotas: new NearlyFullQuotas(redis),
  };
}
