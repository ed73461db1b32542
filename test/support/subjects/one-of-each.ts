import assert from 'node:assert/strict';
import type { Cloudsim } from '../../../apps/cloudsim/src/server.ts';
import { CloudClient } from '../clients/cloud-client.ts';
import type { GatewayClient } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';
import { preparePrebuiltShare } from '../projects/prepared-cloud.ts';
import { testLogin } from '../stacks/test-stack.ts';
import { dueInHours } from './auto-backups.ts';

/**
 * Creates one resource of each kind in the project of `gateway`, for lists whose rows `growTo` copies, and
 * returns the parameters of their paths.
 */
export async function createOneOfEach(
  gateway: GatewayClient,
  cloudsim: Cloudsim,
): Promise<Record<string, string>> {
  const send = async (path: string, body: object) => {
    const answer = await gateway.request<{ id: string }>('POST', path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.id;
  };
  const instance_id = await send('/api/instances', await gateway.smallInstanceRequest('rows'));
  await send('/api/server-groups', { name: 'rows', policy: 'anti-affinity' });
  const volume_id = await send('/api/volumes', { name: 'rows', size_gb: 1 });
  const of = { name: 'rows', volume_id };
  await eventually(async () => {
    const { status } = await gateway.read<{ status: string }>(`/api/volumes/${volume_id}`);
    return status === 'available';
  });
  const snapshot_id = await send('/api/volume-snapshots', of);
  const backup_id = await send('/api/volumes/backups', of);
  const offered = await send('/api/volumes', { name: 'offered', size_gb: 1 });
  await eventually(() => send(`/api/volumes/${offered}/transfer`, {}));
  const file_storage_id = await send('/api/file-storage', { name: 'rows', size_gb: 1, share_proto: 'NFS' });
  await eventually(async () => {
    const { status } = await gateway.read<{ status: string }>(`/api/file-storage/${file_storage_id}`);
    return status === 'available';
  });
  const rule = { access_to: '10.0.0.1', access_type: 'ip' };
  await send(`/api/file-storage/${file_storage_id}/access-rules`, rule);
  const share_snapshot_id = await send('/api/file-storage/snapshots', { name: 'rows', file_storage_id });
  const admin = await CloudClient.logIn(cloudsim.identityUrl, testLogin('admin'));
  const library = { id: 'python311', version: '3.11' };
  const share_network_id = await send('/api/file-storage/share-networks', { name: 'rows' });
  const directory = { name: 'rows', type: 'ldap', password: 'Directory-4711' };
  const security_service_id = await send('/api/file-storage/security-services', directory);
  const pair = `/api/file-storage/share-networks/${share_network_id}/security-services/${security_service_id}`;
  const added = await gateway.request('PUT', pair);
  assert.equal(added.status, 204, added.text);
  await preparePrebuiltShare(admin, { library, protocol: 'NFS', shareType: 'default' });
  await send(`/api/volumes/backups/auto-backup/${volume_id}`, { schedule: dueInHours(12) });
  const network_id = await send('/api/networks', { name: 'rows' });
  const subnet_id = await send(`/api/networks/${network_id}/subnets`, {
    name: 'rows',
    cidr: '10.9.0.0/24',
  });
  const networks = await gateway.read<{ id: string; is_external: boolean }[]>('/api/networks');
  const external_network_id = networks.find(({ is_external }) => is_external)?.id;
  const router_id = await send('/api/routers', { name: 'rows', external_network_id });
  await send(`/api/routers/${router_id}/interfaces`, { subnet_id });
  const balanced = await createLoadBalancer(cloudsim, send);
  const cluster_id = await send('/api/clusters', { name: 'rows', cluster_template_id: 'k8s-template' });
  const container_id = await send('/api/containers', { image: 'nginx' });
  const ofStorage = { volume_id, snapshot_id, backup_id, file_storage_id, share_snapshot_id };
  const ofShareNetwork = { share_network_id, security_service_id };
  const ofNetwork = { network_id, router_id, ...balanced };
  const [group_id = ''] = cloudsim.cloud.identity.groups.keys();
  const { projectId: project_id } = gateway;
  const hidden = [...cloudsim.cloud.compute.flavors.values()].find(({ isPublic }) => !isPublic);
  const id = cloudsim.cloud.compute.hosts[0]?.id ?? '';
  const [image_id = ''] = cloudsim.cloud.images.images.keys();
  const volume_type_id = crypto.randomUUID();
  cloudsim.cloud.blockStorage.types.set(volume_type_id, {
    id: volume_type_id,
    name: 'rows',
    description: '',
    isPublic: false,
    extraSpecs: {},
    access: new Set([project_id]),
  });
  const ofAdministration = {
    id,
    group_id,
    project_id,
    flavor_id: hidden?.id ?? '',
    image_id,
    domain_id: 'default',
    volume_type_id,
  };
  return {
    instance_id,
    ...ofStorage,
    ...ofShareNetwork,
    ...ofNetwork,
    cluster_id,
    container_id,
    ...ofAdministration,
  };
}

/** Creates a load balancer with one of everything. */
async function createLoadBalancer(
  cloudsim: Cloudsim,
  send: (path: string, body: object) => Promise<string>,
): Promise<Record<string, string>> {
  const demo = await CloudClient.logIn(cloudsim.identityUrl, testLogin('demo'));
  const { subnets } = await demo.call<{ subnets: { id: string }[] }>(
    'network',
    'GET',
    '/v2.0/subnets?name=demo-subnet',
  );
  const lb_id = await send('/api/loadbalancers', { name: 'rows', vip_subnet_id: subnets[0]?.id });
  const path = `/api/loadbalancers/${lb_id}`;
  await send(`${path}/listeners`, { protocol: 'HTTP', protocol_port: 80 });
  const pool_id = await send(`${path}/pools`, { protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' });
  await send(`${path}/pools/${pool_id}/members`, { address: '10.10.0.9', protocol_port: 80 });
  const monitor = { type: 'HTTP', delay: 5, timeout: 3, max_retries: 2 };
  await send(`${path}/pools/${pool_id}/health-monitor`, monitor);
  return { lb_id, pool_id };
}
