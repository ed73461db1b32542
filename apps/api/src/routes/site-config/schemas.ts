import Joi from 'joi';
import { shape } from '../../http/schemas/fields.ts';

const dashboardConfigFields = {
  refresh_interval_ms: Joi.number().integer(),
  shared_fs_enabled: Joi.boolean().description(
    'Switched on here, and in the catalog of the cloud; so are the next two.',
  ),
  container_infra_enabled: Joi.boolean(),
  container_enabled: Joi.boolean(),
  lite_enabled: Joi.boolean(),
};

export const dashboardConfigShape = shape('DashboardConfig', dashboardConfigFields);

export const siteConfigShape = shape('SiteConfig', { site_name: Joi.string(), ...dashboardConfigFields });
