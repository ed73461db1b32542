import type { ShareTypeRecord } from '@gateway/openstack';

export function presentShareType(type: ShareTypeRecord) {
  return {
    id: type.id,
    name: type.name,
    description: type.description ?? '',
    is_default: type.is_default,
    is_public: type['share_type_access:is_public'],
  };
}
