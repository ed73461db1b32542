import type { LayerShare } from '@gateway/cloud-init';
import { shareClientName } from '@gateway/libraries';
import { requireState } from '../../saga/index.ts';
import { readLayerShare } from '../resources/layer-share.ts';
import type { BuildStepContext } from './saga.ts';

interface BuilderAccess {
  type: 'ip' | 'cephx';
  /** The builder's address, or its client name. */
  to: string;
}

/** The identity that the share grants access to. */
export function accessOf(context: BuildStepContext): BuilderAccess {
  return requireState(context, 'plan').protocol === 'NFS'
    ? { type: 'ip', to: requireState(context, 'port').address }
    : { type: 'cephx', to: shareClientName(context.projectId, context.jobId) };
}

export async function builderShare(context: BuildStepContext): Promise<LayerShare> {
  return readLayerShare(await context.service(), {
    id: requireState(context, 'shareId'),
    protocol: requireState(context, 'plan').protocol,
    accessTo: accessOf(context).to,
  });
}
