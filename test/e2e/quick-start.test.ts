import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { demonstrateInstance } from '../../scripts/demo/instance.ts';
import { demonstrateCluster } from '../../scripts/demo/lite.ts';
import type { Stack } from '../../scripts/stack.ts';
import { tryItBlock } from '../../scripts/try-it.ts';
import { CloudClient, type ResourceIds } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { isRealCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

describe('the first steps with a gateway', function () {
  this.timeout(180_000);
  let stack: Stack;
  let cloud: CloudClient;
  let baseline: ResourceIds;
  const created: string[] = [];

  before(async () => {
    stack = await startTestStack();
    cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    baseline = await cloud.resourceIds();
  });

  after(async () => {
    if (created.length > 0) {
      await deleteInstances(stack.url, created);
      await eventually(async () => {
        assert.deepEqual(await cloud.resourceIds(), baseline);
        return true;
      });
    }
    await stack?.stop();
  });

  it('create an instance with the commands that npm start prints', async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', tryItBlock(stack.url, testLogin('demo'))]);

    const events = stdout.match(/^data: .*$/gm) ?? [];
    const last = events.at(-1) ?? stdout;
    created.push(/"instance_id":"([^"]+)"/.exec(last)?.[1] ?? '');
    assert.match(last, /"step":"COMPLETED"/);
  });

  it('create an instance with a library in the demonstration', async () => {
    const { username, password } = testLogin('demo');
    const lines: string[] = [];

    await demonstrateInstance(stack.url, { username, password }, (line) => lines.push(line));

    created.push(
      lines
        .find((line) => line.includes('GET /api/instances/'))
        ?.split('/')
        .at(-1) ?? '',
    );
    const bars = lines.filter((line) => line.startsWith('['));
    assert.match(bars.at(-1) ?? '', /100 % {2}COMPLETED/);
    assert.ok(lines.some((line) => /^ +overlay_libraries +\["python311"\]$/.test(line)));
  });

  // The machines of the real test cloud install nothing.
  if (!isRealCloud()) {
    it('create, check, scale and delete a cluster in its demonstration', async () => {
      const lines: string[] = [];

      await demonstrateCluster(stack.url, testLogin('demo'), (line) => lines.push(line));

      assert.ok(lines.some((line) => /^ +status +HEALTHY$/.test(line)));
      assert.ok(lines.some((line) => /^ +agent_count +1$/.test(line)));
      assert.ok(lines.some((line) => /^ +status +DELETED$/.test(line)));
    });
  }

  it("end with the gateway's message if the log-in is wrong", async () => {
    const demo = demonstrateInstance(stack.url, { username: 'demo', password: 'wrong' }, () => {});

    await assert.rejects(demo, { status: 401, message: /^The user name, password, domain or project/ });
  });
});

/** Removes what the test has created, in case of a real cloud. */
async function deleteInstances(url: string, ids: string[]): Promise<void> {
  const gateway = await GatewayClient.logIn(url, testLogin('demo'));
  for (const id of ids.filter((one) => one !== '')) {
    const answer = await gateway.request('DELETE', `/api/instances/${id}`);
    assert.equal(answer.status, 204, answer.text);
  }
}
