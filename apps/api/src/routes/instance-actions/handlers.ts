import { act, type InstanceRequest } from './act.ts';
import * as actions from './actions.ts';
import type { ActionResult, RebootBody } from './schemas.ts';

export async function startInstance(request: InstanceRequest): Promise<ActionResult> {
  await act(request, actions.start);
  return { status: 'starting' };
}

export async function stopInstance(request: InstanceRequest): Promise<ActionResult> {
  await act(request, actions.stop);
  return { status: 'stopping' };
}

export async function rebootInstance(
  request: InstanceRequest<RebootBody | undefined>,
): Promise<ActionResult> {
  await act(request, request.body?.type === 'hard' ? actions.hardReboot : actions.reboot);
  return { status: 'rebooting' };
}

export async function shelveInstance(request: InstanceRequest): Promise<void> {
  await act(request, actions.shelve);
}

export async function unshelveInstance(request: InstanceRequest): Promise<void> {
  await act(request, actions.unshelve);
}
