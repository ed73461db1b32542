import type { MemberRecord } from '@gateway/openstack';
import type { PoolMember } from './pool-member-shape.ts';

export function presentPoolMember(record: MemberRecord): PoolMember {
  return {
    id: record.id,
    name: record.name,
    address: record.address,
    protocol_port: record.protocol_port,
    weight: record.weight,
    backup: record.backup,
    status: record.provisioning_status,
    operating_status: record.operating_status,
    subnet_id: record.subnet_id,
    subnet_name: null,
  };
}
