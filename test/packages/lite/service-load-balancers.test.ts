import assert from 'node:assert/strict';
import { isServiceFloatingIp, isServiceLoadBalancer } from '@gateway/lite';

const SERVICE = 'kube_service_my_cluster_shop_web';
const INGRESS = 'kube_ingress_my_cluster_shop_www.example.org';

describe('a load balancer', () => {
  it('belongs to the cluster whose programs have named it', () => {
    for (const name of [SERVICE, INGRESS]) assert.ok(isServiceLoadBalancer('my_cluster', name), name);
  });

  it('does not belong to a cluster with a shorter or longer name', () => {
    for (const cluster of ['my', 'my_cluster_shop', 'cluster', 'My_cluster'])
      for (const name of [SERVICE, INGRESS]) assert.ok(!isServiceLoadBalancer(cluster, name), cluster);
  });

  it('does not belong to a cluster under another name, or without one', () => {
    for (const name of ['web', '']) assert.ok(!isServiceLoadBalancer('my_cluster', name));
  });

  it('belongs to no cluster if its name has other parts', () => {
    for (const rest of ['shop', 'shop_', '_web', 'shop_web_tls', 'sg'])
      assert.ok(!isServiceLoadBalancer('my_cluster', `kube_ingress_my_cluster_${rest}`), rest);
  });
});

describe('a floating IP of a load balancer', () => {
  const service = 'Floating IP for Kubernetes external service shop/web from cluster my_cluster';
  const ingress = 'Floating IP for Kubernetes ingress www in namespace shop from cluster my_cluster';

  it('was created by the programs of the cluster that its description names', () => {
    for (const one of [service, ingress]) {
      assert.ok(isServiceFloatingIp('my_cluster', one), one);
      for (const name of ['my', 'cluster', 'my_cluster_b']) assert.ok(!isServiceFloatingIp(name, one), name);
    }
  });

  it('was created by a person if it has another description, or none', () => {
    for (const one of ['', 'my_cluster', 'our address, from cluster my_cluster', `kept: ${service}`])
      assert.ok(!isServiceFloatingIp('my_cluster', one), one);
  });
});
