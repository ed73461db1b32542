import type { ServiceError } from '../common/service-error.ts';
import { identityFormat, pageFormat } from '../http/error-formats.ts';
import { ok, operation, type Reply } from '../http/operation.ts';
import type { Service } from '../http/service.ts';
import { accessRuleOperations } from './access-rule-routes.ts';
import { applicationCredentialOperations } from './application-credential-routes.ts';
import { endpoints, services } from './catalog.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { credentialOperations } from './credential-routes.ts';
import { domainOperations } from './domain-routes.ts';
import { grantOperations } from './grant-routes.ts';
import { groupOperations } from './group-routes.ts';
import { collection, requireAdmin } from './policy.ts';
import { projectOperations } from './project-routes.ts';
import { tokenOperations } from './token-routes.ts';
import { trustOperations } from './trust-routes.ts';
import { userOperations } from './user-routes.ts';
import { webSignOnOperations } from './web-sign-on-routes.ts';

const MALFORMED =
  'Expecting to find valid JSON in request body. The server could not comply with the request since it is either malformed or otherwise incorrect. The client is assumed to be in error.';

export function identityVersion(base: string): object {
  return {
    id: 'v3.14',
    status: 'stable',
    updated: '2020-04-07T00:00:00Z',
    links: [{ rel: 'self', href: `${base}/` }],
    'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' }],
  };
}

function getVersion(call: IdentityCall): Reply {
  return ok({ version: identityVersion(call.base) });
}

function listServices(call: IdentityCall): Reply {
  requireAdmin(call, 'list_services');
  return collection(
    call,
    'services',
    services().map((service) => ({ ...service, description: '', enabled: true })),
  );
}

function listEndpoints(call: IdentityCall): Reply {
  requireAdmin(call, 'list_endpoints');
  const rows = endpoints(call.cloud.publicUrl, '%(project_id)s').map((endpoint) => ({
    id: endpoint.id,
    interface: endpoint.interface,
    region_id: call.cloud.region,
    service_id: endpoint.serviceId,
    url: endpoint.url,
    enabled: true,
    region: call.cloud.region,
  }));
  return collection(call, 'endpoints', rows);
}

function listRegions(call: IdentityCall): Reply {
  return collection(call, 'regions', [{ id: call.cloud.region, description: '', parent_region_id: null }]);
}

export function identityService(publicUrl: string): Service<IdentityCloud> {
  return {
    name: 'identity',
    hasOwnRules: true,
    prefix: '/identity/v3',
    errors: (error: ServiceError, requestId) => {
      const reply = identityFormat(error, requestId);
      if (error.status !== 401) return reply;
      return { ...reply, headers: { 'WWW-Authenticate': `Keystone uri="${publicUrl}/identity/v3"` } };
    },
    unrouted: pageFormat,
    malformed: MALFORMED,
    requestIdHeaders: ['x-openstack-request-id'],
    headers: () => ({ Vary: 'X-Auth-Token' }),
    operations: [
      operation('versions.get', 'GET /', getVersion, { isPublic: true }),
      ...tokenOperations,
      ...webSignOnOperations,
      ...grantOperations,
      ...projectOperations,
      ...userOperations,
      ...groupOperations,
      ...trustOperations,
      ...accessRuleOperations,
      ...applicationCredentialOperations,
      ...credentialOperations,
      ...domainOperations,
      operation('services.list', 'GET /services', listServices),
      operation('endpoints.list', 'GET /endpoints', listEndpoints),
      operation('regions.list', 'GET /regions', listRegions),
    ],
  };
}
