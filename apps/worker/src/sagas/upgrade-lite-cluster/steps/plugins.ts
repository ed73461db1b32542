import { GatewayError } from '@gateway/core';
import {
  checkCluster,
  judgePlugins,
  type KubernetesApi,
  KubernetesError,
  workloadQuery,
} from '@gateway/lite';
import { requireState } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { aggregateFor } from '../../lite-clusters/plugins.ts';
import { awaitInCluster } from '../cluster-api.ts';
import {
  announce,
  defineUpgradeStep,
  type UpgradeLiteClusterStepContext,
  type UpgradePlan,
} from '../saga.ts';

/**
 * Applies the objects of the plugins for the new release, and waits until those that worked before work with
 * it. Jobs are left as they are: they cannot be changed, and have done their work.
 */
export const upgradePlugins = defineUpgradeStep<{ arePluginsApplied: boolean }>({
  name: 'plugins',
  when: (context) => requireState(context, 'upgradePlan').plugins !== null,
  beginUpdate: announce('plugins_upgrading', 'The plugins are being upgraded.'),
  onRepeat: 'idempotent',
  run: async () => ({ arePluginsApplied: false }),
  async settle(context, { arePluginsApplied: wereApplied }, publish) {
    let arePluginsApplied = wereApplied;
    const seconds = context.config.timeLimits.liteReadySeconds;
    const late = (problem: string) => failure(`The plugins could not be upgraded in time: ${problem}.`);
    await awaitInCluster(
      context,
      async (api) => {
        if (!arePluginsApplied) {
          await applyPlugins(context, api);
          arePluginsApplied = true;
          await publish(announce('plugins_upgrading', 'The plugins are starting.'), { arePluginsApplied });
        }
        return findProblem(api, pluginsIn(context));
      },
      () => ({ deadline: context.since + seconds * 1000, late }),
    );
    return undefined;
  },
});

async function applyPlugins(context: UpgradeLiteClusterStepContext, api: KubernetesApi): Promise<void> {
  const cluster = await requireLiteCluster(context);
  const secret = await context.liteClusters.readSecret(cluster, 'credentialSecret');
  const credential =
    cluster.credential === null || secret === null ? null : { id: cluster.credential.id, secret };
  const { plan } = pluginsIn(context);
  const inputs = { plan, credential, keyId: cluster.keyId, k3sVersion: context.input.version };
  for (const { key, objects } of aggregateFor(context, cluster, inputs).plugins) {
    for (const object of objects.filter(({ kind }) => kind !== 'Job')) {
      await api.apply(object).catch((error: unknown) => {
        const isInvalid = error instanceof KubernetesError && error.upstreamStatus === 422;
        // Its parameters cannot be changed: it stays as it was made with the settings of its time.
        if (isInvalid && object.kind === 'StorageClass') return;
        throw isInvalid ? failure(`The plugin ${key} could not be upgraded: ${error.reason}.`) : error;
      });
    }
  }
}

/** Null once the plugins work that worked before the upgrade. */
async function findProblem(
  api: KubernetesApi,
  { working }: NonNullable<UpgradePlan['plugins']>,
): Promise<string | null> {
  const facts = await checkCluster(api, workloadQuery(working));
  if (facts.workloads === null) return facts.problem ?? 'their state cannot be read';
  const missing = judgePlugins(working, facts, Date.now()).find(({ status }) => status !== 'available');
  if (missing === undefined) return null;
  return (missing.message ?? `${missing.name} is ${missing.status}`).replace(/\.$/, '');
}

function pluginsIn(context: UpgradeLiteClusterStepContext): NonNullable<UpgradePlan['plugins']> {
  const { plugins } = requireState(context, 'upgradePlan');
  if (plugins === null) throw new Error('The cluster has no plugins.');
  return plugins;
}

function failure(detail: string): GatewayError {
  return new GatewayError(502, 'lite_upgrade_failed', detail);
}
