import type { RequestContext } from '../../pipeline/request-context.ts';
import { explainRefusal, requireState } from '../../resources/instance-state.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import * as actions from './actions.ts';
import type { ActionResult } from './schemas.ts';

type InstanceRequest = RequestContext<{ instance_id: string }>;

export async function startInstance(request: InstanceRequest): Promise<ActionResult> {
  await act(request, actions.start);
  return { status: 'starting' };
}

export async function stopInstance(request: InstanceRequest): Promise<ActionResult> {
  await act(request, actions.stop);
  return { status: 'stopping' };
}

export async function rebootInstance(request: InstanceRequest): Promise<ActionResult> {
  await act(request, actions.reboot);
  return { status: 'rebooting' };
}

export async function shelveInstance(request: InstanceRequest): Promise<void> {
  await act(request, actions.shelve);
}

export async function unshelveInstance(request: InstanceRequest): Promise<void> {
  await act(request, actions.unshelve);
}

async function act(request: InstanceRequest, action: actions.InstanceAction): Promise<void> {
  const { openstack, params } = request;
  const server = await getOwnServer(request, params.instance_id);
  requireState(server, action);
  try {
    await action.send(request, server);
  } catch (error) {
    throw await explainRefusal(openstack, params.instance_id, action, error);
  }
}
