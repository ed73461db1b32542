import type { MemberRecord } from '@gateway/openstack';

export interface PoolMember {
  id: string;
  name: string;
  address: string;
  protocol_port: number;
  weight: number;
  status: string;
  operating_status: string;
  subnet_id: string | null;
  subnet_name: string | null;
}

export function presentPoolMember(record: MemberRecord): PoolMember {
  return {
    id: record.id,
    name: record.name,
    address: record.address,
    protocol_port: record.protocol_port,
    weight: record.weight,
    status: record.provisioning_status,
    operating_status: record.operating_status,
    subnet_id: record.subnet_id,
    subnet_name: null,
  };
}
