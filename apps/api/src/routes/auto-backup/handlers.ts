import { notFound } from '@gateway/core';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { presentAutoBackup } from './present.ts';
import { removeAutoBackup } from './remove-auto-backup.ts';
import { type AutoBackupBody, DEFAULT_PREFIX } from './schemas.ts';
import { setUpAutoBackup } from './set-up-auto-backup.ts';

type VolumeParams = { volume_id: string };

export async function listAutoBackups({ app, caller }: RequestContext) {
  const configurations = await app.autoBackups.store.readOfProject(caller.identity.projectId);
  return configurations.map((configuration) => presentAutoBackup(configuration, app.clock.now()));
}

export async function getAutoBackup({ app, caller, params }: RequestContext<VolumeParams>) {
  const { projectId } = caller.identity;
  const configuration = await app.autoBackups.store.readOfVolume(projectId, params.volume_id);
  if (configuration === null) throw noAutoBackup();
  return presentAutoBackup(configuration, app.clock.now());
}

export async function putAutoBackup(request: RequestContext<VolumeParams, unknown, AutoBackupBody>) {
  const { app, body, params } = request;
  const settings = { ...body, prefix: body.prefix ?? DEFAULT_PREFIX };
  return presentAutoBackup(await setUpAutoBackup(request, params.volume_id, settings), app.clock.now());
}

export async function deleteAutoBackup(request: RequestContext<VolumeParams>) {
  if (!(await removeAutoBackup(request, request.params.volume_id))) throw noAutoBackup();
}

function noAutoBackup() {
  return notFound('The volume has no auto backup in this project.');
}
