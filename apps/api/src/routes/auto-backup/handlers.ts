import { type AutoBackup, startRunNow } from '@gateway/auto-backup';
import { joinExistingJob } from '../../flows/join-existing-job.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { findAutoBackup, noAutoBackup } from './find-auto-backup.ts';
import { presentAutoBackups } from './present.ts';
import { removeAutoBackup } from './remove-auto-backup.ts';
import { type AutoBackupBody, DEFAULT_PREFIX } from './schemas.ts';
import { setUpAutoBackup } from './set-up-auto-backup.ts';
import type { PresentedAutoBackup, StartedRun } from './shapes.ts';

type VolumeParams = { volume_id: string };

export async function listAutoBackups(request: RequestContext) {
  const { app, caller } = request;
  const configurations = await app.autoBackups.store.readOfProject(caller.identity.projectId);
  // A volume that was missing once may be gone: the workers find out.
  return presentAutoBackups(
    request,
    configurations.filter(({ missingSince }) => missingSince === null),
  );
}

export async function getAutoBackup(request: RequestContext<VolumeParams>) {
  return present(request, await findAutoBackup(request, request.params.volume_id));
}

export async function putAutoBackup(request: RequestContext<VolumeParams, unknown, AutoBackupBody>) {
  const { body, params } = request;
  const { full_every: fullEvery, prefix = DEFAULT_PREFIX, retention, schedule } = body;
  const settings = { schedule, retention, prefix, fullEvery };
  return present(request, await setUpAutoBackup(request, params.volume_id, settings));
}

export async function deleteAutoBackup(request: RequestContext<VolumeParams>) {
  if (!(await removeAutoBackup(request, request.params.volume_id))) throw noAutoBackup();
}

export function pauseAutoBackup(request: RequestContext<VolumeParams>) {
  return setEnabled(request, false);
}

export function resumeAutoBackup(request: RequestContext<VolumeParams>) {
  return setEnabled(request, true);
}

/** The run works with the delegation of the auto backup, like one that is due. */
export async function runAutoBackup(request: RequestContext<VolumeParams>): Promise<StartedRun> {
  const { app, caller, jobId, params, requestId } = request;
  if (!(await joinExistingJob(request))) {
    const configuration = await findAutoBackup(request, params.volume_id);
    await startRunNow(app, configuration, { jobId, owner: caller.identity, requestId });
  }
  return { job_id: jobId, volume_id: params.volume_id, status: 'running' };
}

async function setEnabled(request: RequestContext<VolumeParams>, enabled: boolean) {
  const { app, caller, logger, params } = request;
  const { entries, store } = app.autoBackups;
  await findAutoBackup(request, params.volume_id);
  const now = app.clock.now();
  const id = await store.setEnabled(caller.identity.projectId, params.volume_id, { enabled, now });
  const configuration = id === null ? null : await store.read(id);
  if (configuration === null) throw noAutoBackup();
  await entries.update(configuration.id).catch((error: unknown) => {
    logger.warn('The queue entry of an auto backup is corrected later', { error });
  });
  return present(request, configuration);
}

async function present(request: RequestContext<VolumeParams>, configuration: AutoBackup) {
  const [row] = await presentAutoBackups(request, [configuration]);
  return row as PresentedAutoBackup;
}
