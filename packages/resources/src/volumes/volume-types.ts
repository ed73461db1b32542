import type { VolumeTypeRecord } from '@gateway/openstack';
import { CachedList } from '../lists/cached-list.ts';
import type { VolumeType } from './volume-type-shape.ts';

export function presentVolumeType(type: VolumeTypeRecord, defaultId: string | undefined): VolumeType {
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    is_default: type.id === defaultId,
    is_public: type.is_public,
  };
}

/** Public types, and those that the project may use. */
export const volumeTypeList = new CachedList<VolumeType[]>({
  name: 'volumeTypes',
  varyBy: 'project',
  dependsOn: ['volume_type'],
  lifetime: 'choicesSeconds',
  async load({ openstack }) {
    const { volumeTypes } = openstack.blockStorage;
    const [types, standard] = await Promise.all([volumeTypes.list(), volumeTypes.getDefault()]);
    return types.map((type) => presentVolumeType(type, standard?.id));
  },
});
