import { type AccessRule, serviceTypes } from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';

/** Requests to one service. */
export interface AccessRequest {
  service: ServiceName;
  method: HttpMethod;
  /** Path after the version of the API. `*` matches one segment, `**` any text. */
  path: string;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Requests with some methods (such as `GET POST`) to some paths of a service. */
export function requests(service: ServiceName, methods: string, ...paths: string[]): AccessRequest[] {
  return methods
    .split(' ')
    .flatMap((method) => paths.map((path) => ({ service, method: method as HttpMethod, path })));
}

/**
 * The rules that allow the requests, without duplicates. A service compares a rule with its own type and the
 * whole path of a request, including the prefix of its deployment. So there is a rule for each possible type
 * of the service, and the pattern starts with any text.
 */
export function accessRules(allowed: readonly AccessRequest[]): AccessRule[] {
  const rules = allowed.flatMap(({ service, method, path }) =>
    serviceTypes(service).map((type) => ({
      service: type,
      method,
      path: `/**${versions[service] ?? ''}${path}`,
    })),
  );
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** Whether `accessRules` has made the rule, for any plugin and in this release or an earlier one. */
export function isPluginAccessRule({ path }: AccessRule): boolean {
  return /^\/\*\*v\d/.test(path);
}

/** Version in the paths of a service, with the project's id where a deployment may have it. */
const versions: Partial<Record<ServiceName, string>> = {
  compute: 'v2**',
  network: 'v2.0',
  blockStorage: 'v3**',
  sharedFileSystem: 'v2**',
  loadBalancer: 'v2**',
  keyManager: 'v1',
};
