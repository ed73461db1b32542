import assert from 'node:assert/strict';
import type { Project } from '@gateway/resources';
import { grantKey } from '../../apps/cloudsim/src/identity/state.ts';
import { type Cloudsim, startCloudsim } from '../../apps/cloudsim/src/server.ts';
import { demoServiceUser } from '../../scripts/stack-environment.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { growDomains } from '../support/load/cloudsim-rows.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { simulatedCloud, testLogin } from '../support/stacks/test-stack.ts';

const SIZE = 1500;
/** Of each kind in the second or third domain; one of the seeded rows of the first takes a place. */
const THIRD = SIZE / 3 - 1;
const USERS = 'identity users.list';
const GROUPS = 'identity groups.list';
const PROJECTS = 'identity projects.list';
const DOMAINS = 'identity domains.list';

/**
 * The upstream calls of the first read of each list, and the rows of the whole list. The identity service
 * returns at most 1,000 rows in a response. A search that finds rows of one domain or none asks whether the
 * service lists all domains.
 */
const LISTS: Record<string, { calls: string[]; rows: number }> = {
  '/api/admin/domains': { calls: [DOMAINS], rows: 3 },
  '/api/admin/users': { calls: [USERS, USERS], rows: SIZE },
  '/api/admin/users?name=USER-012': { calls: [USERS], rows: 10 },
  '/api/admin/users?name=user-0123': { calls: [USERS, USERS], rows: 1 },
  '/api/admin/users?domain_id=physics&name=user-': { calls: [USERS], rows: THIRD },
  '/api/admin/groups': { calls: [GROUPS, GROUPS], rows: SIZE },
  '/api/admin/groups?name=group-012': { calls: [GROUPS], rows: 10 },
  '/api/admin/groups?name=nothing': { calls: [GROUPS, GROUPS], rows: 0 },
  '/api/admin/projects': { calls: [PROJECTS, PROJECTS], rows: SIZE },
  '/api/admin/projects?name=project-012': { calls: [PROJECTS], rows: 10 },
  '/api/admin/projects?domain_id=chemistry&name=project-': { calls: [PROJECTS], rows: THIRD },
  '/api/admin/projects/names': { calls: [PROJECTS, PROJECTS], rows: SIZE },
};

/** With a directory for each domain, which has a third of the users or groups. */
const LISTS_OF_DIRECTORIES: typeof LISTS = {
  '/api/admin/users': { calls: [DOMAINS, USERS, USERS, USERS], rows: SIZE },
  '/api/admin/users?name=user-0123': { calls: [DOMAINS, USERS, USERS, USERS, USERS], rows: 1 },
  '/api/admin/users?domain_id=physics&name=user-': { calls: [USERS], rows: THIRD },
  '/api/admin/groups': { calls: [DOMAINS, GROUPS, GROUPS, GROUPS], rows: SIZE },
};

describe(`lists of ${SIZE} users, groups and projects in three domains`, function () {
  this.timeout(120_000);
  let cloudsim: Cloudsim;
  let suite: AdminStack;

  before(async () => {
    cloudsim = await startCloudsim({ delayScale: 0 });
    growDomains(cloudsim.cloud, SIZE);
    suite = await AdminStack.start({
      ...simulatedCloud,
      apis: 1,
      cloudsim: false,
      identityUrl: cloudsim.identityUrl,
      env: demoServiceUser,
    });
  });

  after(async () => {
    await suite?.stop();
    await cloudsim?.close();
  });

  async function read<T>(path: string, who: GatewayClient = suite.admin) {
    const requestId = `req-${crypto.randomUUID()}`;
    const { body, status, text } = await who.request<T>('GET', path, undefined, requestId);
    assert.equal(status, 200, text);
    const calls = cloudsim.cloud.calls
      .list({ service: null, operation: null, requestId })
      .filter(({ operation }) => operation === 'tokens.list_projects' || !operation?.startsWith('tokens.'))
      .map(({ service, operation }) => `${service} ${operation}`)
      .sort();
    return { body, calls };
  }

  /** Reads the whole list, which may have pages, and counts the calls of its first part. */
  async function readWhole(path: string): Promise<{ calls: string[]; ids: string[] }> {
    const { body, calls } = await read<{ id: string }[] | { items: { id: string }[] }>(path);
    if (Array.isArray(body)) return { calls, ids: body.map(({ id }) => id) };
    const ids: string[] = [];
    const separator = path.includes('?') ? '&' : '?';
    for (let marker = ''; ; ) {
      const page = await read<{ items: { id: string }[]; next_marker: string | null }>(
        `${path}${separator}limit=100${marker}`,
      );
      ids.push(...page.body.items.map(({ id }) => id));
      if (page.body.next_marker === null) return { calls, ids };
      marker = `&marker=${page.body.next_marker}`;
    }
  }

  for (const [path, { calls, rows }] of Object.entries(LISTS)) {
    it(`GET ${path}: ${calls.length}`, async () => {
      const found = await readWhole(path);

      assert.deepEqual(found.calls, calls);
      assert.deepEqual([found.ids.length, new Set(found.ids).size], [rows, rows]);
    });
  }

  it('has the names of domains for projects of all three', async () => {
    const { grants, projects, roles, users } = cloudsim.cloud.identity;
    const demo = [...users.values()].find(({ name }) => name === 'demo')?.id ?? '';
    const member = [...roles.values()].find(({ name }) => name === 'member')?.id ?? '';
    for (const id of projects.keys()) grants.set(grantKey(id, demo), new Set([member]));
    const user = await suite.logIn(testLogin('demo'));

    const { body, calls } = await read<Project[]>('/api/auth/projects', user);

    assert.equal(body.length, SIZE);
    const names = new Set(body.map(({ domain_name }) => domain_name));
    assert.deepEqual([...names].sort(), ['Chemistry', 'Default', 'Physics']);
    assert.deepEqual(calls, [DOMAINS, 'identity tokens.list_projects']);
  });

  describe('with a directory for each domain', () => {
    before(async () => {
      cloudsim.cloud.settings.hasDirectories = true;
      // A write drops the lists that the gateway holds.
      for (const kind of ['user', 'group']) {
        const { id } = await suite.make<{ id: string }>(`/api/admin/${kind}s`, { name: `${kind}-new` });
        await suite.change(204, 'DELETE', `/api/admin/${kind}s/${id}`);
      }
    });

    for (const [path, { calls, rows }] of Object.entries(LISTS_OF_DIRECTORIES)) {
      it(`GET ${path}: ${calls.length}`, async () => {
        const found = await readWhole(path);

        assert.deepEqual(found.calls, calls);
        assert.equal(found.ids.length, rows);
      });
    }
  });
});
