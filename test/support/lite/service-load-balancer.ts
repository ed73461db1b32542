import type { CloudClient } from '../clients/cloud-client.ts';
import { eventually } from '../eventually.ts';

const BALANCERS = '/v2.0/lbaas/loadbalancers';

/** Creates a load balancer as the cloud controller of a cluster does for a service. Returns its id. */
export async function createServiceLoadBalancer(
  cloud: CloudClient,
  { clusterName, subnetId }: { clusterName: string; subnetId: string },
): Promise<string> {
  const { loadbalancer } = await cloud.call<{ loadbalancer: { id: string } }>(
    'load-balancer',
    'POST',
    BALANCERS,
    {
      loadbalancer: {
        name: `kube_service_${clusterName}_default_web`,
        description: `Kubernetes external service default/web from cluster ${clusterName}`,
        vip_subnet_id: subnetId,
      },
    },
  );
  await eventually(async () => {
    const path = `${BALANCERS}/${loadbalancer.id}`;
    const read = await cloud.call<{ loadbalancer: { provisioning_status: string } }>(
      'load-balancer',
      'GET',
      path,
    );
    return read.loadbalancer.provisioning_status === 'ACTIVE';
  }, 120_000);
  return loadbalancer.id;
}
