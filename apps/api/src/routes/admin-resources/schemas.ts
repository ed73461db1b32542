import { fieldsOf, givenExampleOf, idOrEmpty, part, type Shape, shape, text } from '@gateway/core/shapes';
import {
  fileStorageShape,
  imageShape,
  instanceDetailShape,
  managedClusterShape,
  networkDetailShape,
  providerFields,
  volumeShape,
} from '@gateway/resources/shapes';
import { liteClusterShape } from '../lite-clusters/lite-cluster-shape.ts';

/** The project that a resource belongs to. */
export interface Owner {
  /** Null for a resource of no project, such as an image of the cloud itself. */
  project_id: string | null;
  /** Empty if the project no longer exists. */
  project_name: string;
}

/** What members see of a resource, and its project. */
function withOwner<T>(name: string, members: Shape<T>) {
  return shape(
    name,
    {
      ...Object.fromEntries(fieldsOf(members)),
      project_id: idOrEmpty('project').nullable(),
      project_name: text('demo').describe('Empty if the project no longer exists.'),
    },
    () => givenExampleOf(members) ?? {},
  ) as unknown as Shape<Omit<T, keyof Owner> & Owner>;
}

export const adminInstanceShape = withOwner('AdminInstanceDetail', instanceDetailShape);
export const adminVolumeShape = withOwner('AdminVolume', volumeShape);
export const adminImageShape = withOwner('AdminImage', imageShape);
export const adminNetworkShape = withOwner(
  'AdminNetworkDetail',
  part({ ...networkDetailShape.shape, ...providerFields }),
);
export const adminFileStorageShape = withOwner('AdminFileStorage', fileStorageShape);
export const adminClusterShape = withOwner('AdminCluster', managedClusterShape);
export const adminLiteClusterShape = withOwner('AdminLiteCluster', liteClusterShape);
