import Joi from 'joi';
import { type FieldsOf, shape } from '../../http/schemas/fields.ts';

export interface DashboardConfig {
  refresh_interval_ms: number;
  shared_fs_enabled: boolean;
  container_infra_enabled: boolean;
  container_enabled: boolean;
  lite_enabled: boolean;
}

export interface SiteConfig extends DashboardConfig {
  site_name: string;
}

const dashboardConfigFields: FieldsOf<DashboardConfig> = {
  refresh_interval_ms: Joi.number().integer(),
  shared_fs_enabled: Joi.boolean().description(
    'Switched on here, and in the catalog of the cloud; so are the next two.',
  ),
  container_infra_enabled: Joi.boolean(),
  container_enabled: Joi.boolean(),
  lite_enabled: Joi.boolean(),
};

export const dashboardConfigShape = shape<DashboardConfig>('DashboardConfig', dashboardConfigFields);

export const siteConfigShape = shape<SiteConfig>('SiteConfig', {
  site_name: Joi.string(),
  ...dashboardConfigFields,
});
