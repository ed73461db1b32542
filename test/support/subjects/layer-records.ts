import { type FirstBootData, readFirstBootData } from '../../../apps/cloudsim/src/guest/first-boot-data.ts';
import type { CloudClient } from '../clients/cloud-client.ts';

/** The records of an instance with libraries in all services, read by an administrator. */
export interface LayerRecords {
  server: ServerRecord;
  firstBoot: FirstBootData;
  volumes: VolumeRecord[];
  ports: PortRecord[];
}

interface ServerRecord {
  id: string;
  metadata: Record<string, string>;
  tenant_id: string;
  'OS-EXT-SRV-ATTR:user_data': string;
  'os-extended-volumes:volumes_attached': { id: string; delete_on_termination: boolean }[];
}

interface VolumeRecord {
  id: string;
  name: string;
  size: number;
  status: string;
  metadata: Record<string, string>;
  attachments: { server_id: string; device: string }[];
}

interface PortRecord {
  id: string;
  description: string;
  fixed_ips: { ip_address: string }[];
}

export interface RuleRecord {
  id: string;
  access_type: string;
  access_to: string;
  access_level: string;
  access_key: string | null;
  state: string;
  metadata: Record<string, string>;
}

interface ShareRecord {
  id: string;
  name: string;
  status: string;
  size: number;
  share_proto: string;
  is_public: boolean;
  project_id: string;
  metadata: Record<string, string>;
}

/** `owner` is a client of the instance's project, because only the project can list its volumes. */
export async function layerRecords(
  admin: CloudClient,
  owner: CloudClient,
  instanceId: string,
): Promise<LayerRecords> {
  const { server } = await admin.call<{ server: ServerRecord }>('compute', 'GET', `/servers/${instanceId}`);
  const attached = server['os-extended-volumes:volumes_attached'];
  const [volumes, { ports }] = await Promise.all([
    Promise.all(attached.map(({ id }) => volumeRecord(owner, id))),
    admin.call<{ ports: PortRecord[] }>('network', 'GET', `/v2.0/ports?device_id=${instanceId}`),
  ]);
  const firstBoot = readFirstBootData(server['OS-EXT-SRV-ATTR:user_data']);
  return { server, firstBoot, volumes, ports };
}

async function volumeRecord(owner: CloudClient, id: string): Promise<VolumeRecord> {
  return (await owner.call<{ volume: VolumeRecord }>('volumev3', 'GET', `/volumes/${id}`)).volume;
}

export async function shareRecord(admin: CloudClient, shareId: string): Promise<ShareRecord> {
  return (await admin.call<{ share: ShareRecord }>('sharev2', 'GET', `/shares/${shareId}`)).share;
}

export async function rulesOf(admin: CloudClient, shareId: string): Promise<RuleRecord[]> {
  const path = `/share-access-rules?share_id=${shareId}`;
  return (await admin.call<{ access_list: RuleRecord[] }>('sharev2', 'GET', path)).access_list;
}

/** The preferred export path of the share. */
export async function exportPathOf(admin: CloudClient, shareId: string): Promise<string> {
  const path = `/shares/${shareId}/export_locations`;
  const { export_locations: locations } = await admin.call<{
    export_locations: { path: string; preferred: boolean }[];
  }>('sharev2', 'GET', path);
  return (locations.find(({ preferred }) => preferred) ?? locations[0])?.path ?? '';
}
