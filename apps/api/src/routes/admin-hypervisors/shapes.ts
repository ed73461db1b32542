import { id, type ShapeType, shape } from '@gateway/core/shapes';

export const startedEvacuationShape = shape('StartedEvacuation', {
  job_id: id('job'),
  hypervisor_id: id('hypervisor'),
});

export type StartedEvacuation = ShapeType<typeof startedEvacuationShape>;
