import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { Stack } from '../../scripts/stack.ts';
import { listenLocally, stopListening } from '../support/doubles/local-server.ts';
import { eventually } from '../support/eventually.ts';
import { isRealCloud, startTestStack } from '../support/stacks/test-stack.ts';

const MESSAGE = 'A service does not support the microversion that the gateway needs';

describe('a service that is too old for the gateway', function () {
  this.timeout(120_000);
  let old: Server;
  let stack: Stack | undefined;

  before(async function () {
    if (isRealCloud()) return this.skip();
    old = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"version":{"id":"v2.1","status":"CURRENT","version":"2.65","min_version":"2.1"}}');
    });
    const url = `http://127.0.0.1:${await listenLocally(old)}/v2.1`;
    stack = await startTestStack({ own: true, config: { identity: { endpoints: { compute: url } } } });
  });

  after(async () => {
    await stack?.stop();
    if (old) await stopListening(old);
  });

  it('is in the log of each process from its start', async () => {
    const processes = [...(stack?.apis ?? []), ...(stack?.workers ?? [])];

    const lines = await eventually(async () => {
      const found = processes.map((one) => one.logs().find((line) => line.includes(MESSAGE)));
      return found.includes(undefined) ? undefined : found;
    });

    assert.equal(lines.length, 2);
    for (const line of lines) assert.match(line ?? '', /"needed":"2\.79","offered":"2\.1 to 2\.65"/);
  });
});
