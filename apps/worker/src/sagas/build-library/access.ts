import type { LayerShare } from '@gateway/cloud-init';
import { requireState } from '../require-state.ts';
import { layerShareOf } from '../resources/layer-share.ts';
import { shareClientName } from '../resources/names.ts';
import type { BuildStepContext } from './saga.ts';

export interface BuilderAccess {
  type: 'ip' | 'cephx';
  /** The builder's address, or the client's name that it mounts as. */
  to: string;
}

/** As whom the builder gets into the share. */
export function accessOf(context: BuildStepContext): BuilderAccess {
  return requireState(context, 'plan').protocol === 'NFS'
    ? { type: 'ip', to: requireState(context, 'port').address }
    : { type: 'cephx', to: shareClientName(context.projectId, context.jobId) };
}

export async function builderShare(context: BuildStepContext): Promise<LayerShare> {
  return layerShareOf(await context.service(), {
    id: requireState(context, 'shareId'),
    protocol: requireState(context, 'plan').protocol,
    accessTo: accessOf(context).to,
  });
}
