import type {
  FileStorage,
  Image,
  InstanceDetail,
  ManagedCluster,
  NetworkDetail,
  NetworkProvider,
  Volume,
} from '@gateway/resources';
import type { ObjectSchema } from 'joi';
import { nullableText, text } from '../../http/schemas/fields.ts';
import { imageShape } from '../../http/schemas/image.ts';
import { providerFields } from '../admin-networks/schemas.ts';
import { fileStorageShape } from '../file-storage/schemas.ts';
import { instanceDetailShape } from '../instances/schemas.ts';
import { liteClusterShape } from '../lite-clusters/schemas.ts';
import { managedClusterShape } from '../managed-clusters/schemas.ts';
import { networkDetailShape } from '../networks/schemas.ts';
import { volumeShape } from '../volumes/schemas.ts';

/** The project that a resource belongs to. */
export interface Owner {
  /** Null for a resource of no project, such as an image of the cloud itself. */
  project_id: string | null;
  /** Empty if the project no longer exists. */
  project_name: string;
}

/** What members see of a resource, and its project. */
function withOwner<T>(name: string, members: ObjectSchema<T>): ObjectSchema<Omit<T, keyof Owner> & Owner> {
  return members
    .append({
      project_id: nullableText().required(),
      project_name: text().required().description('Empty if the project no longer exists.'),
    })
    .meta({ name }) as ObjectSchema<Omit<T, keyof Owner> & Owner>;
}

export const adminInstanceShape = withOwner<InstanceDetail>('AdminInstanceDetail', instanceDetailShape);
export const adminVolumeShape = withOwner<Volume>('AdminVolume', volumeShape);
export const adminImageShape = withOwner<Image>('AdminImage', imageShape);
export const adminNetworkShape = withOwner<NetworkDetail & NetworkProvider>(
  'AdminNetworkDetail',
  networkDetailShape.append(providerFields) as ObjectSchema<NetworkDetail & NetworkProvider>,
);
export const adminFileStorageShape = withOwner<FileStorage>('AdminFileStorage', fileStorageShape);
export const adminClusterShape = withOwner<ManagedCluster>('AdminCluster', managedClusterShape);
export const adminLiteClusterShape = withOwner('AdminLiteCluster', liteClusterShape);
