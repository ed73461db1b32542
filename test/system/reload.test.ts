import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { ServiceUser } from '../support/subjects/service-user.ts';

type Settings = Record<string, Record<string, unknown>>;

const RELOADED = 'The configuration was reloaded';
const FIRST = { log: { level: 'warn' }, rate_limits: { stream_ticket: 1 } } satisfies Settings;

function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

describe('a process that gets a SIGHUP', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'reload-'));
  const [configFile, keysFile, passwordFile] = ['gateway.yaml', 'keys', 'password'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const [older, newer] = [newKey('older'), newKey('newer')];
  let stack: Stack;
  let member: GatewayClient;

  before(async () => {
    configure(FIRST);
    writeFileSync(keysFile, older);
    writeFileSync(passwordFile, 'gateway-secret');
    stack = await startTestStack({
      ...simulatedCloud,
      own: true,
      ownRedis: true,
      workers: 1,
      env: {
        GATEWAY_CONFIG: configFile,
        GATEWAY_SEALING_KEYS: '',
        GATEWAY_SEALING_KEYS_FILE: keysFile,
        GATEWAY_SERVICE_PASSWORD: '',
        GATEWAY_SERVICE_PASSWORD_FILE: passwordFile,
      },
    });
    member = await GatewayClient.logIn(stack.url, testLogin('demo'));
  });
  after(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true });
  });

  // JSON is YAML.
  function configure(settings: Settings): void {
    writeFileSync(configFile, JSON.stringify(settings));
  }

  function lines(of: ServerProcess, message: string): Record<string, unknown>[] {
    return of
      .logs()
      .filter((line) => line.includes(message))
      .map((line) => JSON.parse(line));
  }

  /** Sends the signal to all processes, and returns what each has logged. */
  async function hangUp(message = RELOADED): Promise<Record<string, unknown>[]> {
    const processes = [...stack.apis, ...stack.workers];
    const counts = processes.map((each) => lines(each, message).length);
    const pids = processes.map(({ pid }) => pid);
    for (const each of processes) await each.kill('SIGHUP');
    const logged = await eventually(async () => {
      const found = processes.map((each, at) => lines(each, message)[counts[at] ?? 0]);
      return found.every((line) => line !== undefined) ? found : undefined;
    });
    assert.deepEqual(
      processes.map((each) => [each.pid, each.isRunning()]),
      pids.map((pid) => [pid, true]),
    );
    return logged;
  }

  async function metric(name: string): Promise<number[]> {
    const addresses = [
      ...stack.apis.map(({ url }) => `${url}/api/metrics`),
      ...stack.workers.map(({ url }) => `${url}/metrics`),
    ];
    const texts = await Promise.all(addresses.map(async (url) => (await fetch(url)).text()));
    return texts.map((text) => Number(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1]));
  }

  async function ticketStatuses(count: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let at = 0; at < count; at++) {
      statuses.push((await member.request('POST', '/api/events/ticket')).status);
    }
    return statuses;
  }

  /** The same request each time: its response is stored encrypted, and repeated. */
  async function createVolume(): Promise<{ status: number; text: string }> {
    const response = await fetch(`${stack.url}/api/volumes`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': 'the-same',
        'X-Auth-Token': member.token,
        'X-Project-Id': member.projectId,
      },
      body: JSON.stringify({ name: 'sealed', size_gb: 1 }),
    });
    return { status: response.status, text: await response.text() };
  }

  it('takes the level of the log and a rate limit', async () => {
    assert.equal((await ticketStatuses(2)).at(-1), 429);
    assert.deepEqual(lines(stack.apis[0] as ServerProcess, '"Request"'), []);

    configure({ log: { level: 'info' }, rate_limits: { stream_ticket: 0 } });
    const logged = await hangUp();

    assert.deepEqual(
      logged.map(({ changed }) => changed),
      Array(2).fill('rate_limits.stream_ticket, log.level'),
    );
    assert.deepEqual(await ticketStatuses(3), [201, 201, 201]);
    await eventually(async () => lines(stack.apis[0] as ServerProcess, '"Request"')[0]);
  });

  it('keeps what it has when a file is broken, and says so', async () => {
    // The second is an alias, which has no anchor.
    for (const text of ['rate_limits: { stream_ticket: 1', 'http: { cors_origins: *.example.org }']) {
      writeFileSync(configFile, text);
      const [line] = await hangUp('The configuration cannot be reloaded');
      const failed = await metric('gateway_config_last_reload_successful');

      assert.match(JSON.stringify(line?.error), /not valid YAML/);
      assert.deepEqual(failed, [0, 0]);
    }
    assert.deepEqual(await ticketStatuses(2), [201, 201]);

    configure({ rate_limits: { stream_ticket: 0 } });
    await hangUp();
    assert.deepEqual(await metric('gateway_config_last_reload_successful'), [1, 1]);
  });

  it('names what has changed and needs a restart', async () => {
    configure({
      rate_limits: { stream_ticket: 0 },
      site: { name: 'Another name' },
      cache: { process_bytes: 0 },
    });
    const logged = await hangUp('Settings have changed that need a restart');

    assert.deepEqual(
      logged.map(({ settings }) => settings),
      Array(2).fill('site.name, cache.process_bytes'),
    );
    const { site_name: name } = await member.read<{ site_name: string }>('/api/site-config');
    assert.notEqual(name, 'Another name');
  });

  it('logs in as the service user with its new password', async () => {
    const serviceUser = await ServiceUser.find(stack.identityUrl ?? '');
    await serviceUser.setPassword('rotated-secret');
    writeFileSync(passwordFile, 'mistyped');
    await hangUp();
    await eventually(async () => (await metric('gateway_service_user_works')).includes(0));

    writeFileSync(passwordFile, 'rotated-secret');
    const logged = await hangUp();

    assert.deepEqual(
      logged.map(({ changed }) => changed),
      Array(2).fill('GATEWAY_SERVICE_PASSWORD'),
    );
    await eventually(async () => (await metric('gateway_service_user_works')).every((works) => works === 1));
  });

  it('seals with the first key of its file, and opens with all', async () => {
    const first = await createVolume();
    writeFileSync(keysFile, `${newer},${older}`);
    await hangUp();
    const repeated = await createVolume();

    assert.deepEqual([first.status, repeated.text], [201, first.text]);
  });

  it('opens again what it could not, once it has the key', async () => {
    const first = await createVolume();
    writeFileSync(keysFile, newKey('other'));
    await hangUp();
    const lost = await createVolume();
    writeFileSync(keysFile, `${newer},${older}`);
    await hangUp();
    const found = await createVolume();

    assert.notEqual(lost.status, 201);
    assert.equal(found.text, first.text);
  });
});
