import { type ShapeType, shape } from '@gateway/core/shapes';
import { quotaValue } from './quota-value.ts';

export const fileStorageQuotaShape = shape('FileStorageQuota', {
  gigabytes: quotaValue(),
  shares: quotaValue(),
  snapshots: quotaValue(),
  share_networks: quotaValue(),
});

export type FileStorageQuota = ShapeType<typeof fileStorageQuotaShape>;
