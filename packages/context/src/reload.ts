import { newRequestId, type Sealer } from '@gateway/core';
import type { ServiceAccount } from '@gateway/openstack';
import {
  type Config,
  ConfigError,
  type Logger,
  loadConfig,
  type Metrics,
  takeReloaded,
} from '@gateway/platform';

interface ReloadParts {
  config: Config;
  logger: Logger;
  metrics: Pick<Metrics, 'configReloaded' | 'sealingKeyFound'>;
  sealer: Pick<Sealer, 'replaceKeys'>;
  serviceAccount: Pick<ServiceAccount, 'tryNewPassword'>;
}

/**
 * Reads the configuration file and the files with secrets anew. What is declared to reload gets its new
 * value; the log names what else has changed. Files with a problem change nothing. See decision 205.
 */
export function reloadConfig({ config, logger, metrics, sealer, serviceAccount }: ReloadParts): void {
  let next: Config;
  try {
    next = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    metrics.configReloaded(false);
    logger.error('The configuration cannot be reloaded, and stays as it is', { error });
    return;
  }
  const { needRestart, reloaded } = takeReloaded(config, next);
  logger.level = config.log.level;
  if (reloaded.includes('GATEWAY_SEALING_KEYS')) {
    sealer.replaceKeys(config.secrets.sealingKeys);
    for (const { id } of config.secrets.sealingKeys) metrics.sealingKeyFound(id);
  }
  if (reloaded.includes('GATEWAY_SERVICE_PASSWORD')) {
    // The checks of the cloud report the outcome.
    serviceAccount.tryNewPassword({ requestId: newRequestId() }).catch(() => {});
  }
  metrics.configReloaded(true);
  // A list of names would be masked as the parts of a header, where one has the name of a secret.
  logger.record('The configuration was reloaded', { changed: reloaded.join(', ') });
  if (needRestart.length > 0) {
    logger.warn('Settings have changed that need a restart', {
      settings: needRestart.join(', '),
    });
  }
}
