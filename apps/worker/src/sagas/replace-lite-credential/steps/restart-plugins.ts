import { GatewayError } from '@gateway/core';
import { ParkedError, requireState } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { findUnavailable, patiently, restartPrograms, withApiServer } from '../credential-in-cluster.ts';
import { announce, defineReplacementStep } from '../saga.ts';

/** In polling intervals. */
const CHECK_INTERVALS = 3;

/** Restarts the programs that have read the old credential, and waits, parked, until they are available. */
export const restartPlugins = defineReplacementStep<{ isRestarted: boolean }>({
  name: 'restart-plugins',
  beginUpdate: announce('plugins_restarting', 'The programs of the plugins are being restarted.'),
  run: async () => ({ isRestarted: true }),
  async settle(context) {
    const { config, since } = context;
    const limitMs = config.timeLimits.liteReadySeconds * 1000;
    const credentialId = requireState(context, 'credentialId');
    const cluster = await requireLiteCluster(context);
    const check = () =>
      withApiServer(context, cluster, async (api) => {
        await restartPrograms(api, cluster, credentialId);
        return findUnavailable(api, cluster);
      });
    const unavailable = await patiently(context, check, limitMs);
    if (unavailable.length === 0) return undefined;
    const leftMs = since + limitMs - Date.now();
    if (leftMs > 0) throw new ParkedError(Math.min(leftMs, CHECK_INTERVALS * config.jobs.pollIntervalMs));
    throw new GatewayError(
      502,
      'lite_plugins_not_available',
      `The programs of the plugins were not available within the time limit (${unavailable.join(', ')}). ` +
        'The cluster keeps its credential.',
    );
  },
});
