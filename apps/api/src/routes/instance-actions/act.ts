import type { ServerRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { explainRefusal, type InstanceRule } from '../../resources/instance-state.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { requireAction } from '../../resources/require-action.ts';

/** An action of the compute service on an instance, and when the instance allows it. */
export interface InstanceAction extends InstanceRule {
  send(request: RequestContext, server: ServerRecord): Promise<void>;
  /** The statuses with which the service refuses the action because of the state; 409 by default. */
  refusalStatuses?: readonly number[];
}

export type InstanceRequest<Body = unknown> = RequestContext<{ instance_id: string }, unknown, Body>;

/** @throws 404 for an instance of another project, 409 with the state that forbids the action */
export async function act(request: InstanceRequest, action: InstanceAction): Promise<void> {
  const { params } = request;
  const server = await getOwnServer(request, params.instance_id);
  requireAction(request, action, server);
  try {
    await action.send(request, server);
  } catch (error) {
    throw await explainRefusal(request, params.instance_id, action, error, action.refusalStatuses);
  }
}
