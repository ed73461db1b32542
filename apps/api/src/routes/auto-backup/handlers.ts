import type { AutoBackup } from '@gateway/auto-backup';
import { notFound } from '@gateway/core';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { type PresentedAutoBackup, presentAutoBackups } from './present.ts';
import { removeAutoBackup } from './remove-auto-backup.ts';
import { type AutoBackupBody, DEFAULT_PREFIX } from './schemas.ts';
import { setUpAutoBackup } from './set-up-auto-backup.ts';

type VolumeParams = { volume_id: string };

export async function listAutoBackups(request: RequestContext) {
  const { app, caller } = request;
  const configurations = await app.autoBackups.store.readOfProject(caller.identity.projectId);
  return presentAutoBackups(request, configurations);
}

export async function getAutoBackup(request: RequestContext<VolumeParams>) {
  const { app, caller, params } = request;
  const { projectId } = caller.identity;
  const configuration = await app.autoBackups.store.readOfVolume(projectId, params.volume_id);
  if (configuration === null) throw noAutoBackup();
  return present(request, configuration);
}

export async function putAutoBackup(request: RequestContext<VolumeParams, unknown, AutoBackupBody>) {
  const { body, params } = request;
  const settings = { ...body, prefix: body.prefix ?? DEFAULT_PREFIX };
  return present(request, await setUpAutoBackup(request, params.volume_id, settings));
}

export async function deleteAutoBackup(request: RequestContext<VolumeParams>) {
  if (!(await removeAutoBackup(request, request.params.volume_id))) throw noAutoBackup();
}

async function present(request: RequestContext<VolumeParams>, configuration: AutoBackup) {
  const [row] = await presentAutoBackups(request, [configuration]);
  return row as PresentedAutoBackup;
}

function noAutoBackup() {
  return notFound('The volume has no auto backup in this project.');
}
