import type { ShareTypeRecord } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import type { ShareType } from './share-type-shape.ts';

export function presentShareType(type: ShareTypeRecord): ShareType {
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    is_default: type.is_default,
    is_public: type['share_type_access:is_public'],
  };
}

/** Public types, and those that the project may use. */
export const shareTypeList = new CachedList<ShareType[]>({
  name: 'shareTypes',
  varyBy: 'project',
  dependsOn: [],
  lifetime: 'choicesSeconds',
  load: async ({ openstack }) => (await openstack.sharedFileSystem.shareTypes.list()).map(presentShareType),
});
