import type { AnyEndpoint } from '../pipeline/endpoint.ts';
import { authEndpoints } from './auth/routes.ts';
import { flavorEndpoints } from './flavors/routes.ts';
import { healthEndpoints } from './health/routes.ts';
import { imageEndpoints } from './images/routes.ts';
import { instanceEndpoints } from './instances/routes.ts';
import { jobEndpoints } from './jobs/routes.ts';
import { keypairEndpoints } from './keypairs/routes.ts';
import { libraryBuildEndpoints } from './library-builds/routes.ts';
import { profileEndpoints } from './profile/routes.ts';
import { siteConfigEndpoints } from './site-config/routes.ts';

/** All endpoints of the gateway, in the order of the interface. */
export const endpoints: readonly AnyEndpoint[] = [
  ...authEndpoints,
  ...profileEndpoints,
  ...imageEndpoints,
  ...flavorEndpoints,
  ...instanceEndpoints,
  ...keypairEndpoints,
  ...libraryBuildEndpoints,
  ...jobEndpoints,
  ...siteConfigEndpoints,
  ...healthEndpoints,
];
