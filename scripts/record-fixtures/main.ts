/**
 * Records responses of a real cloud into test/fixtures/openstack. Reads the OS_* variables of a user with an
 * empty project, TESTCLOUD_ADMIN_* for calls that require an administrator, and TESTCLOUD_CLUSTER_TEMPLATE.
 * Created resources are named `record-…` and removed at the end.
 */
import { env } from 'node:process';
import { newRequestId } from '@gateway/core';
import { createOpenstack } from '@gateway/openstack';
import { recordClusters } from './clusters.ts';
import { recordCompute } from './compute.ts';
import { recordFlavorAccess } from './flavor-access.ts';
import { recordAdministration, recordIdentity } from './identity.ts';
import { recordImages } from './images.ts';
import { recordLoadBalancers } from './load-balancers.ts';
import { recordNetworks } from './networks.ts';
import { startRecording } from './recorder.ts';
import { cleanUp } from './scenario.ts';
import { recordShares } from './shares.ts';
import { recordVolumes } from './volumes.ts';

const call = { requestId: newRequestId(), retry: 'none' as const };
const openstack = createOpenstack({
  identity: {
    url: variable('OS_AUTH_URL'),
    region: variable('OS_REGION_NAME'),
    interface: 'public',
    caFile: null,
    certFile: null,
    keyFile: null,
    endpoints: {},
    adminRole: 'admin',
    adminScope: { projects: [], domains: [], adminProject: false },
    readerRoles: [],
  },
  upstream: { proxy: null, noProxy: [], maxConcurrentCalls: 32, services: {} },
  timeLimits: { upstreamRequestSeconds: 60, upstreamQueueSeconds: 60 },
});

startRecording();
try {
  const login = {
    username: variable('OS_USERNAME'),
    password: variable('OS_PASSWORD'),
    domain: { name: variable('OS_USER_DOMAIN_NAME') },
  };
  const project = {
    name: variable('OS_PROJECT_NAME'),
    domain: { name: variable('OS_PROJECT_DOMAIN_NAME') },
  };
  const me = await openstack.identity.authenticate({ ...login, project }, call);
  const root = await openstack.identity.authenticate(
    {
      username: variable('TESTCLOUD_ADMIN_USERNAME'),
      password: variable('TESTCLOUD_ADMIN_PASSWORD'),
      domain: login.domain,
      project: { name: variable('TESTCLOUD_ADMIN_PROJECT_NAME'), domain: project.domain },
    },
    call,
  );
  const mine = openstack.as(me, call);
  const admin = openstack.as(root, call);

  await recordIdentity({ openstack, call, login, project, me, root });
  await recordAdministration({ openstack, call, login, project, me, root });
  await recordImages(mine);
  const networks = await recordNetworks(mine);
  await recordCompute(mine, admin, networks);
  await recordFlavorAccess(admin, me.projectId);
  await recordVolumes(mine);
  await recordShares(mine);
  await recordLoadBalancers(mine, networks.subnet.id);
  await recordClusters(mine, variable('TESTCLOUD_CLUSTER_TEMPLATE'));
} finally {
  await cleanUp();
  openstack.close();
}

function variable(name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}
