import { id, idOrEmpty, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';
import { allowedActionsField, managedByField } from '../actions/action-fields.ts';
import { loadBalancerActions } from '../actions/load-balancer-actions.ts';
import { statusFields } from './status-fields.ts';

export const loadBalancerShape = shape('LoadBalancer', {
  id: id('load_balancer'),
  name: text('front'),
  description: text(''),
  ...statusFields,
  vip_address: text('10.0.0.100'),
  vip_subnet_id: idOrEmpty('vip_subnet').nullable(),
  vip_subnet_name: text('inside').nullable(),
  vip_network_id: idOrEmpty('vip_network').nullable(),
  vip_network_name: text('inside').nullable(),
  vip_port_id: idOrEmpty('vip_port').nullable(),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  created_at: timestamp().nullable(),
  updated_at: timestamp()
    .nullable()
    .describe('When it or one of its listeners, pools and members changed last; null if never.'),
  /** Nothing marks a load balancer, so always null. */
  managed_by: managedByField(),
  allowed_actions: allowedActionsField('load_balancer', loadBalancerActions),
});

export type LoadBalancer = ShapeType<typeof loadBalancerShape>;
