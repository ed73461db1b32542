import { systemClock } from '@gateway/core';
import {
  type BoundClient,
  type CallContext,
  createOpenstack,
  type Identity,
  type IdentitySource,
  type Openstack,
  type OpenstackOptions,
  resolveEndpoints,
} from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';
import { fixtureBody } from '../../support/doubles/upstream.ts';

interface TokenFixture {
  audit_ids: string[];
  catalog: Parameters<typeof resolveEndpoints>[0];
  project: { id: string; name: string; domain: { id: string; name: string } };
  user: { id: string; name: string; domain: { id: string; name: string } };
  roles: { name: string }[];
  expires_at: string;
}

export const identityConfig = {
  url: 'http://127.0.0.1:5000',
  region: 'RegionOne',
  interface: 'public' as const,
  caFile: null,
  certFile: null,
  keyFile: null,
  endpoints: {},
  adminRole: 'admin',
  adminScope: { projects: [], domains: [], adminProject: false },
  readerRoles: [],
};

/** A recognisable token: tests search for it to find leaks. */
export const token = 'gAAAAABsecretsecretsecret';

export const call: CallContext = { requestId: 'req-11111111-2222-4333-8444-555555555555' };

/** The recorded user, in the recorded project. */
export function recordedIdentity(): Identity {
  const body = fixtureBody<TokenFixture>('identity/token', 'token');
  return {
    token,
    projectId: body.project.id,
    projectName: body.project.name,
    projectDomainId: body.project.domain.id,
    projectDomainName: body.project.domain.name,
    userId: body.user.id,
    userName: body.user.name,
    userDomainId: body.user.domain.id,
    userDomainName: body.user.domain.name,
    roles: body.roles.map((role) => role.name),
    expiresAt: body.expires_at,
    chainId: body.audit_ids.at(-1) ?? '',
    endpoints: resolveEndpoints(body.catalog, identityConfig, body.project.id),
  };
}

/** A client that records its delays in `pausesMs` instead of waiting. */
export function testCloud(options: Partial<OpenstackOptions> = {}): {
  openstack: Openstack;
  mine: (context?: Partial<CallContext>) => BoundClient;
  pausesMs: number[];
} {
  const pausesMs: number[] = [];
  const openstack = createOpenstack({
    identity: identityConfig,
    upstream: { proxy: null, noProxy: [], maxConcurrentCalls: 32, services: {} },
    timeLimits: { upstreamRequestSeconds: 5, upstreamQueueSeconds: 5 },
    clock: systemClock,
    sleep: async (ms) => {
      pausesMs.push(ms);
    },
    ...options,
  });
  return {
    openstack,
    mine: (context = {}) => openstack.as(recordedIdentity(), { ...call, ...context }),
    pausesMs,
  };
}

/** A client of a worker, whose identity is known only at its calls, in a cloud without some services. */
export function workerClientWithout(...services: ServiceName[]): BoundClient {
  const identity = recordedIdentity();
  for (const service of services) delete identity.endpoints[service];
  const source: IdentitySource = {
    current: async () => identity,
    replace: async (_, error) => {
      throw error;
    },
  };
  return testCloud().openstack.as(source, call);
}
