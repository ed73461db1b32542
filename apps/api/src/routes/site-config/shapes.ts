import { flag, integer, listOf, nonEmptyText, part, type ShapeType, shape } from '@gateway/core/shapes';

const dashboardConfigFields = {
  refresh_interval_ms: integer(30000),
  shared_fs_enabled: flag().describe(
    'Switched on here, and in the catalog of the cloud; so are the next two.',
  ),
  container_infra_enabled: flag(),
  container_enabled: flag(),
  lite_enabled: flag().describe(
    'Switched on here, with the image, the flavor and the public URL that clusters need.',
  ),
  auto_backup_enabled: flag().describe('The gateway has a user to whom auto backups delegate.'),
  prebuilt_enabled: flag().describe(
    'Libraries can be mounted from prebuilt file storages, which belong to a user of the gateway.',
  ),
  builds_enabled: flag().describe(
    'Administrators can build at least one library: its image, flavor and the public URL are configured.',
  ),
  cookies_enabled: flag().describe(
    'Whether dashboards at the origin of the gateway log in with `use_cookie`.',
  ),
};

export const dashboardConfigShape = shape('DashboardConfig', dashboardConfigFields);

export type DashboardConfig = ShapeType<typeof dashboardConfigShape>;

export const siteConfigShape = shape('SiteConfig', {
  site_name: nonEmptyText('Example cloud'),
  region: nonEmptyText('RegionOne').describe('The region of the cloud in which this gateway works.'),
  sisters: listOf(
    part({
      name: nonEmptyText('Example cloud, north'),
      region: nonEmptyText('RegionTwo'),
      url: nonEmptyText('https://north.example.org'),
    }),
  ).describe('Gateways of other regions, each with its own log-in and the URL that precedes `/api`.'),
  ...dashboardConfigFields,
});

export type SiteConfig = ShapeType<typeof siteConfigShape>;
