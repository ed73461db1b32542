import { flag, nonEmptyText, oneOf, type ShapeType, shape } from '@gateway/core/shapes';

export const availabilityZoneShape = shape('AvailabilityZone', {
  name: nonEmptyText('nova'),
  service: oneOf(['compute', 'block_storage']).describe(
    'Whose resources the zone is for: instances or volumes.',
  ),
  is_available: flag().describe('Whether the service creates resources there now.'),
});

/** A zone of one service: zones of different services may differ, even under the same name. */
export type AvailabilityZone = ShapeType<typeof availabilityZoneShape>;
