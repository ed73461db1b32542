import assert from 'node:assert/strict';
import { isServiceLoadBalancer } from '@gateway/lite';

describe('a load balancer', () => {
  const service = {
    name: 'kube_service_my_cluster_shop_web',
    description: 'Kubernetes external service shop/web from cluster my_cluster',
  };
  const ingress = {
    name: 'kube_ingress_my_cluster_shop_www.example.org',
    description: 'Kubernetes ingress www.example.org in namespace shop from cluster my_cluster',
  };
  const ready = {
    ...ingress,
    description:
      'Kubernetes Ingress www.example.org in namespace shop from cluster my_cluster, version: 7152',
  };

  it('belongs to the cluster whose programs have named and described it', () => {
    for (const one of [service, ingress, ready])
      assert.ok(isServiceLoadBalancer('my_cluster', one), one.name);
  });

  it('does not belong to a cluster with a shorter or longer name', () => {
    for (const name of ['my', 'my_cluster_shop', 'cluster', 'My_cluster']) {
      for (const one of [service, ingress, ready]) assert.ok(!isServiceLoadBalancer(name, one), name);
    }
  });

  it('does not belong to a cluster by its name or its description alone', () => {
    for (const one of [service, ingress]) {
      assert.ok(!isServiceLoadBalancer('my_cluster', { ...one, description: '' }));
      assert.ok(!isServiceLoadBalancer('my_cluster', { ...one, description: null }));
      assert.ok(!isServiceLoadBalancer('my_cluster', { ...one, name: 'web' }));
      assert.ok(!isServiceLoadBalancer('my_cluster', { ...one, name: null }));
    }
    const others = { ...ingress, description: ingress.description.replace('my_cluster', 'my_cluster-2') };
    assert.ok(!isServiceLoadBalancer('my_cluster', others));
  });

  it('does not belong to a cluster if its name has more or fewer parts than those of services and ingresses', () => {
    for (const rest of ['shop', 'shop_', '_web', 'shop_web_tls', 'sg']) {
      assert.ok(
        !isServiceLoadBalancer('my_cluster', { ...ingress, name: `kube_ingress_my_cluster_${rest}` }),
        rest,
      );
    }
  });
});
