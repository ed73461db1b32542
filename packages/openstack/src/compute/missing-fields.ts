import type { ServerRecord } from './server-records.ts';

/**
 * While the cell of a server is down, the compute service returns little more than the
 * server's id and project.
 */
export function withMissingFields(server: ServerRecord): ServerRecord {
  return { ...MISSING_FIELDS, ...server };
}

const MISSING_FIELDS = {
  name: '',
  user_id: '',
  metadata: {},
  image: '' as const,
  flavor: { original_name: '', vcpus: 0, ram: 0, disk: 0, ephemeral: 0, swap: 0 },
  addresses: {},
  key_name: null,
  'os-extended-volumes:volumes_attached': [],
};
