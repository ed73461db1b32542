import { notFound } from '@gateway/core';
import {
  addNames,
  presentAcceptedTransfer,
  presentNewTransfer,
  presentTransfer,
  type Transfer,
  volumeActions,
  volumeNames,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import { reportChanges } from '../../pipeline/report-changes.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnVolume, type ProjectReader } from '../../resources/own-records.ts';
import { requireAction } from '../../resources/require-action.ts';
import { withStateInRefusal } from '../../resources/with-state-in-refusal.ts';
import type { AcceptTransferBody, CreateTransferBody } from './schemas.ts';
import { CHANGED_BY_ACCEPTANCE, readSourceProject } from './source-project.ts';

type TransferRequest<Body = unknown> = RequestContext<{ transfer_id: string }, unknown, Body>;

export async function listTransfers(request: RequestContext): Promise<Transfer[]> {
  const transfers = await request.openstack.blockStorage.transfers.list();
  return addNames(sourcesOf(request), transfers.map(presentTransfer), { volume_id: volumeNames.project });
}

export async function createTransfer(
  request: RequestContext<{ volume_id: string }, unknown, CreateTransferBody | undefined>,
) {
  const { volume_id } = request.params;
  requireAction(request, volumeActions.transfer, await getOwnVolume(request, volume_id));
  return presentNewTransfer(
    await withStateInRefusal({
      failure: volumeActions.transfer.refusal,
      write: () => request.openstack.blockStorage.transfers.create({ volume_id, name: request.body?.name }),
      read: () => getOwnVolume(request, volume_id),
    }),
  );
}

/** Changes the lists of the project that offers the volume too, so both are dropped before the response. */
export async function acceptTransfer(request: TransferRequest<AcceptTransferBody>) {
  const { body, openstack, params } = request;
  const sourceProjectId = await readSourceProject(request, params.transfer_id);
  try {
    return presentAcceptedTransfer(
      await openstack.blockStorage.transfers.accept(params.transfer_id, body.auth_key),
    );
  } finally {
    if (sourceProjectId !== null) await reportChanges(request, sourceProjectId, CHANGED_BY_ACCEPTANCE);
  }
}

export async function deleteTransfer(request: TransferRequest): Promise<void> {
  const { transfer_id } = request.params;
  await requireTransferOfProject(request, transfer_id);
  await request.openstack.blockStorage.transfers.remove(transfer_id);
}

/** Administrators' tokens reach transfers of all projects, so this checks the project. Throws 404. */
async function requireTransferOfProject(reader: ProjectReader, transferId: string): Promise<void> {
  const transfer = await reader.openstack.blockStorage.transfers.get(transferId);
  if (transfer.source_project_id === reader.caller.identity.projectId) return;
  if (transfer.source_project_id !== null || transfer.volume_id === '')
    throw notFound('There is no such transfer in this project.');
  await getOwnVolume(reader, transfer.volume_id);
}
