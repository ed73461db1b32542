import { act, type InstanceRequest } from './act.ts';
import type { ChangeResult, RebuildBody, RescueBody, ResizeBody } from './change-schemas.ts';
import { rebuildInstance, rescueInstance, unrescue } from './rebuild.ts';
import { confirmResize, resizeInstance, revertResize } from './resize.ts';

export async function resize(request: InstanceRequest<ResizeBody>): Promise<ChangeResult> {
  await resizeInstance(request);
  return { status: 'resizing' };
}

export async function confirm(request: InstanceRequest): Promise<ChangeResult> {
  await act(request, confirmResize);
  return { status: 'confirming' };
}

export async function revert(request: InstanceRequest): Promise<ChangeResult> {
  await act(request, revertResize);
  return { status: 'reverting' };
}

export async function rebuild(request: InstanceRequest<RebuildBody>): Promise<ChangeResult> {
  await rebuildInstance(request);
  return { status: 'rebuilding' };
}

export async function rescue(request: InstanceRequest<RescueBody>): Promise<ChangeResult> {
  await rescueInstance(request);
  return { status: 'rescuing' };
}

export async function endRescue(request: InstanceRequest): Promise<ChangeResult> {
  await act(request, unrescue);
  return { status: 'unrescuing' };
}
