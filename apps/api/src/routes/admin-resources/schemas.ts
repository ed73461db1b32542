import { fieldsOf, givenExampleOf, idOrEmpty, type Shape, shape, text } from '@gateway/core/shapes';
import type {
  FileStorage,
  Image,
  InstanceDetail,
  ManagedCluster,
  NetworkDetail,
  NetworkProvider,
  Volume,
} from '@gateway/resources';
import { fileStorageShape, imageShape, managedClusterShape, volumeShape } from '@gateway/resources/shapes';
import { providerFields } from '../admin-networks/schemas.ts';
import { instanceDetailShape } from '../instances/schemas.ts';
import { liteClusterShape } from '../lite-clusters/schemas.ts';
import { networkDetailShape } from '../networks/schemas.ts';

/** The project that a resource belongs to. */
export interface Owner {
  /** Null for a resource of no project, such as an image of the cloud itself. */
  project_id: string | null;
  /** Empty if the project no longer exists. */
  project_name: string;
}

/** What members see of a resource, and its project. */
function withOwner<T>(name: string, members: Shape<T>, more: Record<string, Shape<unknown>> = {}) {
  const fields = { ...Object.fromEntries(fieldsOf(members)), ...more };
  return shape(
    name,
    {
      ...fields,
      project_id: idOrEmpty('project').nullable(),
      project_name: text('demo').describe('Empty if the project no longer exists.'),
    },
    () => givenExampleOf(members) ?? {},
  ) as unknown as Shape<Omit<T, keyof Owner> & Owner>;
}

export const adminInstanceShape = withOwner<InstanceDetail>('AdminInstanceDetail', instanceDetailShape);
export const adminVolumeShape = withOwner<Volume>('AdminVolume', volumeShape);
export const adminImageShape = withOwner<Image>('AdminImage', imageShape);
export const adminNetworkShape = withOwner<NetworkDetail & NetworkProvider>(
  'AdminNetworkDetail',
  networkDetailShape as Shape<NetworkDetail & NetworkProvider>,
  providerFields,
);
export const adminFileStorageShape = withOwner<FileStorage>('AdminFileStorage', fileStorageShape);
export const adminClusterShape = withOwner<ManagedCluster>('AdminCluster', managedClusterShape);
export const adminLiteClusterShape = withOwner('AdminLiteCluster', liteClusterShape);
