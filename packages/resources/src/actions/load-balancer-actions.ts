import { immutable } from '@gateway/core';
import type { LoadBalancerRecord } from '@gateway/openstack';
import { isLoadBalancerInTransition } from '../transitions/states-in-transition.ts';
import type { ActionRule } from './rule.ts';

/** The fields of a load balancer by which actions are allowed. */
type LoadBalancerState = Pick<LoadBalancerRecord, 'provisioning_status' | 'vip_address' | 'vip_port_id'>;

/** Writes wait while another change is in progress, but these statuses never become ACTIVE by themselves. */
const LOST = ['ERROR', 'PENDING_DELETE', 'DELETED'];
const GOING = ['PENDING_DELETE', 'DELETED'];

function changeRule(endpoint: string, against: readonly string[] = LOST): ActionRule<LoadBalancerState> {
  return {
    endpoint,
    refusal: 'The load balancer cannot be changed',
    reasonAgainst: ({ provisioning_status: status }) =>
      against.includes(status) ? ` in its state ${status}` : null,
    isInTransition: ({ provisioning_status }) => isLoadBalancerInTransition(provisioning_status),
    makeError: (detail) => immutable(detail),
  };
}

/** The actions on a load balancer, in the order in which rows name them. */
export const loadBalancerActions = {
  update: changeRule('PUT /api/loadbalancers/{lb_id}'),
  add_listener: changeRule('POST /api/loadbalancers/{lb_id}/listeners'),
  add_pool: changeRule('POST /api/loadbalancers/{lb_id}/pools'),
  associate_floating_ip: {
    endpoint: 'POST /api/loadbalancers/{lb_id}/floating-ip',
    refusal: 'The load balancer has no address',
    reasonAgainst: ({ vip_address, vip_port_id }) =>
      vip_address === null || vip_port_id === null ? ' yet' : null,
  } satisfies ActionRule<LoadBalancerState>,
  delete: changeRule('DELETE /api/loadbalancers/{lb_id}', GOING),
};

export type LoadBalancerAction = keyof typeof loadBalancerActions;
