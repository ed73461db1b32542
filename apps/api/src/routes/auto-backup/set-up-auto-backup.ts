import {
  type AutoBackup,
  type AutoBackupSettings,
  checkSchedule,
  type NewDelegation,
  ScheduleError,
} from '@gateway/auto-backup';
import { invalidInput, notFound, storeUnavailable } from '@gateway/core';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnVolume } from '../../resources/own-records.ts';

/**
 * Sets up the auto backup of a volume with a new delegation of the caller, or replaces it. The former
 * delegation is revoked only after the switch, so that no run is without one.
 */
export async function setUpAutoBackup(
  request: RequestContext,
  volumeId: string,
  settings: AutoBackupSettings,
): Promise<AutoBackup> {
  const { app, caller, requestId } = request;
  const schedule = checkedSchedule(settings.schedule, app.config.autoBackup.minIntervalSeconds);
  await getOwnVolume(request, volumeId);
  const created = await app.autoBackups.delegations.create(caller.identity, { requestId });
  const id = await save(request, volumeId, { ...settings, schedule }, created);
  await finish(request, id);
  const configuration = await app.autoBackups.store.read(id);
  if (configuration === null) throw notFound('The auto backup was deleted meanwhile.');
  return configuration;
}

function checkedSchedule(text: string, minIntervalSeconds: number): string {
  try {
    return checkSchedule(text, minIntervalSeconds);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    throw invalidInput(`The schedule ${error.message}.`, {
      errors: [{ field: 'body.schedule', message: error.message }],
    });
  }
}

/**
 * Returns the id of the configuration. When the outcome of the write is unknown, the sweep revokes an unused
 * delegation.
 */
async function save(
  { app, caller, requestId }: RequestContext,
  volumeId: string,
  settings: AutoBackupSettings,
  created: NewDelegation,
): Promise<string> {
  const { projectId, userId } = caller.identity;
  const id = await app.autoBackups.store.save({
    projectId,
    volumeId,
    userId,
    ...settings,
    sealedDelegation: created.sealed,
    intent: created.intent,
    now: app.clock.now(),
  });
  if (id !== null) return id;
  // This request took so long that the sweep has counted it as dead.
  await app.autoBackups.delegations.discard(created, caller.identity, { requestId });
  throw storeUnavailable('The auto backup could not be set up in time. Please try again.', {
    retryAfterSeconds: 5,
  });
}

/** The configuration takes effect when it is written. The maintenance task repeats what fails here. */
async function finish({ app, caller, logger, requestId }: RequestContext, id: string): Promise<void> {
  const { delegations, entries } = app.autoBackups;
  try {
    await entries.update(id);
    await delegations.revokeRetired({ requestId }, { configurationId: id, owner: caller.identity });
  } catch (error) {
    logger.warn('The set-up of an auto backup is completed later', { error });
  }
}
