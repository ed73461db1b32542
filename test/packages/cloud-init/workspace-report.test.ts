import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { eventually } from '../../support/eventually.ts';
import { nextToken } from '../../support/next-token.ts';
import { GuestSandbox } from './guest-sandbox.ts';
import { filesOf, layered, nfsLayer, plain } from './plan.ts';
import { testReceiver } from './receiver.ts';

const program = '/usr/local/sbin/gateway-workspace-report';
const statusDir = '/var/lib/gateway/first-boot';
const owner = 'p1.0a1b2c3d-0000-4000-8000-000000000001';
const token = `${owner}.${'a1'.repeat(32)}`;

interface WorkspaceReport {
  token: string;
  boot: string;
  sequence: number;
  stage: string;
  result: string;
  reason: string;
}

describe('the reports of an instance with libraries', function () {
  this.timeout(120_000);
  const receiver = testReceiver();
  let guest: GuestSandbox;

  beforeEach(() => {
    guest = guestWith(token);
    // The work makes it before it starts the reports.
    mkdirSync(guest.path(statusDir));
    machineIs('one');
  });

  afterEach(() => guest.remove());

  function guestWith(text: string): GuestSandbox {
    const report = { url: receiver.url, token: text, caCertificate: null };
    return new GuestSandbox(layered([nfsLayer('a')], { report }));
  }

  function machineIs(id: string): void {
    guest.write('/sys/class/dmi/id/product_uuid', `${id}\n`);
    guest.write('/proc/sys/kernel/random/boot_id', `boot-${id}\n`);
  }

  function workIs(result: string, stage: string, reason = ''): void {
    const status = { result, stage, reason, strategy: 'prebuilt', updated_at: String(Math.random()) };
    guest.write('/run/gateway/first-boot/status.json', `${JSON.stringify(status)}\n`);
  }

  const reports = () => receiver.bodies.map((body) => JSON.parse(body) as WorkspaceReport);
  const factsOf = ({ boot, reason, result, stage, token: used }: WorkspaceReport) => [
    used,
    boot,
    result,
    stage,
    reason,
  ];

  it('have the result of each boot, with a new token', async () => {
    workIs('ready', 'done');
    await guest.run(program);
    workIs('failed', 'layers', 'mount.nfs: "access" denied');

    await guest.run(program);

    assert.deepEqual(reports().map(factsOf), [
      [token, 'boot-one', 'ready', 'done', ''],
      [nextToken(token), 'boot-one', 'failed', 'layers', 'mount.nfs: "access" denied'],
    ]);
    assert.doesNotMatch(guest.read('/curl.log') ?? '', /a1a1/, 'no secret is an argument');
  });

  it('have each stage, in increasing order', async () => {
    workIs('running', 'layers');
    const ended = guest.run(program);
    await eventually(async () => receiver.bodies[0]);
    workIs('running', 'workspace');
    await eventually(async () => receiver.bodies[1]);
    workIs('ready', 'done');

    await ended;

    assert.deepEqual(
      reports().map(({ stage }) => stage),
      ['layers', 'workspace', 'done'],
    );
    const sequences = reports().map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].sort((a, b) => a - b),
    );
  });

  it('are those of this boot, not of the one before', async () => {
    guest.write(`${statusDir}/status.json`, '{"result":"ready","stage":"done"}\n');
    workIs('failed', 'layers', 'denied');

    await guest.run(program);

    assert.deepEqual(reports().map(factsOf), [[token, 'boot-one', 'failed', 'layers', 'denied']]);
  });

  it('have no result that the disk cannot keep', async () => {
    // The machine would not know that its token is replaced.
    symlinkSync('/dev/full', guest.path(`${statusDir}/final-report.json.new`));
    workIs('ready', 'done');

    const { status } = await guest.run(program);

    assert.notEqual(status, 0);
    assert.deepEqual(receiver.bodies, []);
    assert.equal(guest.read(`${statusDir}/final-report.json`), null);
  });

  it('are repeated word for word until the gateway accepts the result', async () => {
    receiver.answer = () => (receiver.bodies.length < 3 ? 503 : 200);
    workIs('ready', 'done');

    await guest.run(program);

    assert.equal(receiver.bodies.length, 3);
    assert.equal(new Set(receiver.bodies).size, 1);
  });

  it('repeat the result of an earlier boot first, whose response was lost', async () => {
    receiver.answer = () => 503;
    workIs('ready', 'done');
    const powerFailure = new AbortController();
    const ended = guest.run(program, powerFailure.signal);
    await eventually(async () => receiver.bodies[0]);
    powerFailure.abort();
    await ended;
    const [lost] = receiver.bodies;
    receiver.bodies.length = 0;
    receiver.answer = () => 200;
    workIs('failed', 'layers', 'denied');

    await guest.run(program);

    assert.equal(receiver.bodies[0], lost);
    assert.deepEqual(
      reports().map(({ token: used, result }) => [used, result]),
      [
        [token, 'ready'],
        [nextToken(token), 'failed'],
      ],
    );
  });

  it('do not derive a token twice for one accepted result', async () => {
    workIs('ready', 'done');
    receiver.answer = () => {
      // The power fails after the token is replaced, and before the report is removed.
      guest.write('/kept-report', guest.read(`${statusDir}/final-report.json`) ?? '');
      return 200;
    };
    await guest.run(program);
    guest.write(`${statusDir}/final-report.json`, guest.read('/kept-report') ?? '');

    await guest.run(program);

    assert.equal(reports().at(-1)?.token, nextToken(token));
  });

  it('do not have the failure of work that a shutdown has ended', async () => {
    guest.write('/system-state', 'stopping\n');
    workIs('failed', 'layers');

    await guest.run(program);

    assert.deepEqual(receiver.bodies, []);
    assert.equal(guest.read(`${statusDir}/final-report.json`), null);
  });

  it('end when the gateway refuses the token', async () => {
    receiver.answer = () => 403;
    workIs('running', 'layers');

    const { status } = await guest.run(program);

    assert.equal(status, 0);
    assert.equal(receiver.bodies.length, 1);
  });

  it('are not sent by a machine made from a snapshot', async () => {
    workIs('ready', 'done');
    await guest.run(program);
    receiver.bodies.length = 0;
    machineIs('two');

    const { output } = await guest.run(program);

    assert.deepEqual(receiver.bodies, []);
    assert.match(output, /belongs to another machine/);
  });

  it('are sent by such a machine with first-boot data of its own', async () => {
    workIs('ready', 'done');
    await guest.run(program);
    machineIs('two');
    const own = `${owner}.${'b2'.repeat(32)}`;
    guest.write('/etc/gateway/first-boot/report-token', `${own}\n`);

    await guest.run(program);

    assert.deepEqual(reports().at(-1)?.token, own);
  });
});

describe('first-boot data', () => {
  const paths = (plan: Parameters<typeof filesOf>[0]) =>
    [...filesOf(plan).keys()].filter((path) => path.includes('report'));

  it('has a secret only for an instance with libraries that can report', () => {
    const report = { url: 'https://gateway.example.org/x', token, caCertificate: null };

    assert.deepEqual(paths(layered([nfsLayer('a')], { report })), [
      '/usr/local/lib/gateway/report.sh',
      '/usr/local/lib/gateway/report-identity.sh',
      '/usr/local/sbin/gateway-workspace-report',
      '/etc/systemd/system/gateway-workspace-report.service',
      '/etc/gateway/first-boot/report-token',
    ]);
    assert.deepEqual(paths(layered([nfsLayer('a')])), ['/usr/local/lib/gateway/report.sh']);
    assert.deepEqual(paths(plain({ gpu: { driverPackages: ['driver'] } })), [
      '/usr/local/lib/gateway/report.sh',
    ]);
    assert.deepEqual(paths(plain()), []);
  });
});
