import type { SisterConfig } from '@gateway/platform';
import Joi from 'joi';
import { type FieldsOf, listOf, part, shape } from '../../http/schemas/fields.ts';

export interface DashboardConfig {
  refresh_interval_ms: number;
  shared_fs_enabled: boolean;
  container_infra_enabled: boolean;
  container_enabled: boolean;
  lite_enabled: boolean;
  auto_backup_enabled: boolean;
  prebuilt_enabled: boolean;
  builds_enabled: boolean;
  cookies_enabled: boolean;
}

export interface SiteConfig extends DashboardConfig {
  site_name: string;
  region: string;
  sisters: SisterConfig[];
}

const dashboardConfigFields: FieldsOf<DashboardConfig> = {
  refresh_interval_ms: Joi.number().integer(),
  shared_fs_enabled: Joi.boolean().description(
    'Switched on here, and in the catalog of the cloud; so are the next two.',
  ),
  container_infra_enabled: Joi.boolean(),
  container_enabled: Joi.boolean(),
  lite_enabled: Joi.boolean().description(
    'Switched on here, with the image, the flavor and the public URL that clusters need.',
  ),
  auto_backup_enabled: Joi.boolean().description('The gateway has a user to whom auto backups delegate.'),
  prebuilt_enabled: Joi.boolean().description(
    'Libraries can be mounted from prebuilt file storages, which belong to a user of the gateway.',
  ),
  builds_enabled: Joi.boolean().description(
    'Administrators can build at least one library: its image, flavor and the public URL are configured.',
  ),
  cookies_enabled: Joi.boolean().description('Whether log-ins take `use_cookie`.'),
};

export const dashboardConfigShape = shape<DashboardConfig>('DashboardConfig', dashboardConfigFields);

export const siteConfigShape = shape<SiteConfig>(
  'SiteConfig',
  {
    site_name: Joi.string(),
    region: Joi.string().description('The region of the cloud in which this gateway works.'),
    sisters: listOf(
      part<SisterConfig>({ name: Joi.string(), region: Joi.string(), url: Joi.string() }),
    ).description('Gateways of other regions, each with its own log-in and the URL that precedes `/api`.'),
    ...dashboardConfigFields,
  },
  () => ({
    sisters: [{ name: 'Example cloud, north', region: 'RegionTwo', url: 'https://north.example.org' }],
  }),
);
