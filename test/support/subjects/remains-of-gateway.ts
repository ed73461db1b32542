import type { CloudClient, ServiceType } from '../clients/cloud-client.ts';

/** Something of the gateway in the cloud, and how it or its marks are removed. */
interface Remnant {
  id: string;
  remove(): Promise<void>;
}

/** By the rows of the table in "Decommissioning" of docs/operations.md. */
export type RemainsOfGateway = Record<
  'trusts' | 'credentials' | 'marked' | 'described' | 'rules' | 'libraries' | 'machines',
  Remnant[]
>;

interface Marked {
  id: string;
  name: string;
  metadata: Record<string, string>;
  /** Of volumes. */
  attachments?: object[];
}

interface Described {
  id: string;
  name: string;
  description: string;
  /** Of ports: empty without a server. */
  device_id?: string;
  /** Of floating IPs. */
  port_id?: string | null;
}

const MARK = /^gateway_/;
const DESCRIPTION = /^gateway (?:job|instance) /;
const MACHINE = /^(?:build|verify)-/;

const RECORDS = [
  ['compute', 'servers'],
  ['volumev3', 'volumes'],
  ['volumev3', 'snapshots'],
  ['volumev3', 'backups'],
  ['sharev2', 'shares'],
] as const;
const NETWORK_RECORDS = [
  ['ports', 'port'],
  ['floatingips', 'floatingip'],
  ['security-groups', 'security_group'],
] as const;

/** Searches the cloud as an administrator does, with the requests of the documented commands. */
export async function remainsOfGateway(
  admin: CloudClient,
  serviceUser: { userId: string; projectId: string },
): Promise<RemainsOfGateway> {
  const read = async <T>(service: ServiceType, path: string, field: string): Promise<T[]> =>
    (await admin.call<Record<string, T[]>>(service, 'GET', path))[field] ?? [];
  const remnant = (service: ServiceType, path: string, id: string): Remnant => ({
    id,
    remove: () => admin.call(service, 'DELETE', `${path}/${id}`, undefined, [404]),
  });

  const trustPath = '/OS-TRUST/trusts';
  const trusts = await read<{ id: string }>(
    'identity',
    `${trustPath}?trustee_user_id=${serviceUser.userId}`,
    'trusts',
  );

  const credentials: Remnant[] = [];
  for (const user of await read<{ id: string }>('identity', '/users', 'users')) {
    const path = `/users/${user.id}/application_credentials`;
    const found = await read<Described>('identity', path, 'application_credentials');
    const own = found.filter(
      ({ description }) =>
        user.id === serviceUser.userId || description?.startsWith('Plugins of the cluster '),
    );
    credentials.push(...own.map(({ id }) => remnant('identity', path, id)));
  }

  const marked: Remnant[] = [];
  const machines: Remnant[] = [];
  for (const [service, kind] of RECORDS) {
    const found = await read<Marked>(service, `/${kind}/detail?all_tenants=1`, kind);
    for (const { id, name, metadata, attachments } of found) {
      if (MACHINE.test(name)) machines.push(remnant(service, `/${kind}`, id));
      const keys = Object.keys(metadata ?? {}).filter((key) => MARK.test(key));
      if (keys.length === 0) continue;
      const isUsers = keys.includes('gateway_keep_volume') || !keys.includes('gateway_job_id');
      if (attachments?.length === 0 && !isUsers) {
        marked.push(remnant(service, `/${kind}`, id));
        continue;
      }
      marked.push({
        id,
        async remove() {
          for (const key of keys) await admin.call(service, 'DELETE', `/${kind}/${id}/metadata/${key}`);
        },
      });
    }
  }

  const described: Remnant[] = [];
  for (const [path, field] of NETWORK_RECORDS) {
    const found = await read<Described>('network', `/v2.0/${path}`, path.replace('-', '_'));
    for (const { id, name, description, device_id, port_id } of found) {
      if (MACHINE.test(name ?? '')) machines.push(remnant('network', `/v2.0/${path}`, id));
      if (!DESCRIPTION.test(description)) continue;
      if (device_id === '' || port_id === null) {
        described.push(remnant('network', `/v2.0/${path}`, id));
        continue;
      }
      const body = { [field]: { description: '' } };
      described.push({ id, remove: () => admin.call('network', 'PUT', `/v2.0/${path}/${id}`, body) });
    }
  }

  const shares = await read<Marked>('sharev2', '/shares/detail?all_tenants=1', 'shares');
  const rules: Remnant[] = [];
  for (const share of shares.filter(({ metadata }) => metadata.overlay_type !== undefined)) {
    const found = await read<{ id: string; access_to: string; metadata: Record<string, string> }>(
      'sharev2',
      `/share-access-rules?share_id=${share.id}`,
      'access_list',
    );
    const own = found.filter(
      ({ access_to, metadata }) => access_to.startsWith('gateway-') || metadata.gateway_job_id !== undefined,
    );
    for (const { id } of own) {
      const body = { deny_access: { access_id: id } };
      rules.push({ id, remove: () => admin.call('sharev2', 'POST', `/shares/${share.id}/action`, body) });
    }
  }

  return {
    trusts: trusts.map(({ id }) => remnant('identity', trustPath, id)),
    credentials,
    marked,
    described,
    rules,
    libraries: shares
      .filter(({ metadata }) => metadata.overlay_type === 'prebuilt')
      .map(({ id }) => remnant('sharev2', '/shares', id)),
    machines,
  };
}
