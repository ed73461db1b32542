import { id, idOrEmpty, type ShapeType, shape, text } from '@gateway/core/shapes';
import { statusFields } from './status-fields.ts';

export const poolShape = shape('Pool', {
  id: id('pool'),
  name: text('web'),
  protocol: text('HTTP'),
  lb_algorithm: text('ROUND_ROBIN'),
  ...statusFields,
  health_monitor_id: idOrEmpty('health_monitor').nullable(),
  load_balancer_id: id('load_balancer'),
  load_balancer_name: text('web'),
});

export type Pool = ShapeType<typeof poolShape>;
