import { type FloatingIp, loadBalancerActions, nameFloatingIps, presentFloatingIp } from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { associateFree } from '../../resources/associate-free.ts';
import { requireAction } from '../../resources/require-action.ts';
import type { AssociateAddressBody } from './bodies.ts';
import { findLoadBalancer } from './find.ts';

/** @throws 409 while the load balancer has no address yet */
export async function associateAddress(
  request: RequestContext<{ lb_id: string }, unknown, AssociateAddressBody>,
): Promise<FloatingIp> {
  const balancer = await findLoadBalancer(request, request.params.lb_id);
  requireAction(request, loadBalancerActions.associate_floating_ip, balancer);
  const { vip_address, vip_port_id } = balancer;
  if (vip_port_id === null || vip_address === null) throw new Error('The rule requires an address.');
  const target = { port_id: vip_port_id, fixed_ip_address: vip_address };
  const choose = () => Promise.resolve(target);
  const floatingIp = presentFloatingIp(
    await associateFree(request, request.body.floating_ip_id, choose, 'load balancer'),
  );
  await nameFloatingIps(sourcesOf(request), [floatingIp]);
  return floatingIp;
}
