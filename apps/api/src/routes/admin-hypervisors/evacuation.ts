import { id, type ShapeType, shape } from '@gateway/core/shapes';
import { type EvacuationPreview, readEvacuation } from '@gateway/resources';
import { evacuateHost } from '../../flows/evacuate-host.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { EvacuationBody } from './evacuation-schemas.ts';
import { findHypervisor } from './find-hypervisor.ts';

export const startedEvacuationShape = shape('StartedEvacuation', {
  job_id: id('job'),
  hypervisor_id: id('hypervisor'),
});

type StartedEvacuation = ShapeType<typeof startedEvacuationShape>;

/** What an evacuation would move now. */
export async function previewEvacuation(request: RequestContext<{ id: string }>): Promise<EvacuationPreview> {
  return readEvacuation(sourcesOf(request), await findHypervisor(request));
}

export async function startEvacuation(
  request: RequestContext<{ id: string }, unknown, EvacuationBody>,
): Promise<StartedEvacuation> {
  const { disabled_reason: disabledReason, host_is_off: isHostOff } = request.body;
  const hypervisor = await findHypervisor(request);
  await evacuateHost(request, hypervisor, { disabledReason, isHostOff });
  return { job_id: request.jobId, hypervisor_id: hypervisor.id };
}
