export const loadBalancerTag = {
  name: 'loadbalancers',
  description: 'Load balancers with listeners, pools, members and health monitors',
};

/** The description of every change below a load balancer. */
export const WAITS_WHILE_BUSY =
  'The change waits while the load balancer is busy with another one. If it stays busy, the response is 409 with the code `immutable`.';
