import { id, integer, type ShapeType, shape, text } from '@gateway/core/shapes';
import { statusFields } from './status-fields.ts';

export const healthMonitorShape = shape('HealthMonitor', {
  id: id('health_monitor'),
  name: text('http-check'),
  type: text('HTTP'),
  delay: integer(5).describe('Seconds.'),
  timeout: integer(3).describe('Seconds.'),
  max_retries: integer(2),
  status: statusFields.status,
});

export type HealthMonitor = ShapeType<typeof healthMonitorShape>;
