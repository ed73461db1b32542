import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GatewayClient } from '../../../packages/client/src/index.ts';
import { event, json, StreamServer, stream } from './stream-server.ts';

describe('the actions of the client', function () {
  this.timeout(60_000);
  const volume = { id: 'volume-1', allowed_actions: ['attach', 'extend', 'delete'] as const };
  const instance = { id: 'instance-1', allowed_actions: ['reboot', 'hard_reboot', 'create_image'] as const };
  let server: StreamServer;

  before(async () => {
    const generator = new URL('../../../scripts/client/types.ts', import.meta.url);
    const code = `import { generateClientTypes } from '${generator}'; await generateClientTypes();`;
    const options = ['--conditions', '@gateway/source', '--input-type', 'module'];
    await promisify(execFile)(process.execPath, [...options, '--eval', code]);
  });

  beforeEach(() => {
    server = new StreamServer();
  });

  afterEach(() => server.stop());

  const sent = () => server.seen.map(({ body, line }) => [line, body === '' ? null : JSON.parse(body)]);

  it("put the row's id and what is fixed into the request", async () => {
    const client = new GatewayClient({ url: await server.start(json(200, { status: 'extending' })) });

    const extended = await client.act('volume', volume, 'extend', { body: { new_size: 20 } });
    await client.act('volume', volume, 'attach', { path: { instance_id: 'instance-1' } });
    await client.act('instance', instance, 'hard_reboot');
    await client.act('volume', volume, 'delete', { idempotencyKey: 'key-1' });

    assert.equal(extended.status, 'extending');
    assert.deepEqual(sent(), [
      ['POST /api/volumes/volume-1/extend', { new_size: 20 }],
      ['POST /api/instances/instance-1/volumes', { volume_id: 'volume-1' }],
      ['POST /api/instances/instance-1/reboot', { type: 'hard' }],
      ['DELETE /api/volumes/volume-1', null],
    ]);
    assert.equal(server.seen[3]?.headers['idempotency-key'], 'key-1');
  });

  it('give the events of a job that they start', async () => {
    const url = await server.start(stream(event(1) + event(2, 'COMPLETED', 100)));
    const client = new GatewayClient({ url });

    const events = await client.act('instance', instance, 'create_image', { body: { name: 'golden' } });
    const steps = (await Array.fromAsync(events)).map(({ step }) => step);

    assert.deepEqual(steps, ['SERVER_CREATING', 'COMPLETED']);
    assert.deepEqual(sent(), [['POST /api/instances/instance-1/images/async', { name: 'golden' }]]);
  });

  it('are those of the resource, with what they require', async () => {
    const client = new GatewayClient({ url: await server.start(json(200, {})) });

    // @ts-expect-error The new size is missing.
    await client.act('volume', volume, 'extend');
    // @ts-expect-error The row is no instance.
    await client.act('instance', volume, 'reboot');
    // @ts-expect-error The action fixes the type.
    await client.act('instance', instance, 'reboot', { body: { type: 'hard' } });

    // @ts-expect-error A volume is not started.
    await assert.rejects(client.act('volume', volume, 'start'), TypeError);
    assert.equal(server.seen.length, 3);
  });
});
