import { oneOf, type ShapeType, shape } from '@gateway/core/shapes';
import { act, type InstanceRequest } from './act.ts';
import * as actions from './actions.ts';
import type { RebootBody } from './schemas.ts';

export const actionShape = shape('InstanceAction', {
  status: oneOf(['starting', 'stopping', 'rebooting']),
});

type ActionResult = ShapeType<typeof actionShape>;

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
