import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BuilderPlan } from '@gateway/cloud-init';
import { GuestSandbox } from './guest-sandbox.ts';
import { architecture, writeInterpreterArchive } from './interpreter.ts';
import { builder } from './plan.ts';
import { testReceiver } from './receiver.ts';

const share = '/var/lib/gateway/share';
const partial = '/var/lib/gateway/first-boot/interpreter.tar.gz.partial';

describe('a builder with an interpreter', function () {
  this.timeout(120_000);
  const receiver = testReceiver();
  let guest: GuestSandbox | undefined;
  let archive: Buffer;

  beforeEach(() => {
    receiver.download = () => archive;
  });
  afterEach(() => guest?.remove());

  function guestOf(plan: Partial<BuilderPlan>, sha256?: string): GuestSandbox {
    const report = { url: receiver.url, token: 'token', caCertificate: null };
    const interpreters: BuilderPlan['interpreters'] = [
      { version: '3.11', architecture, url: `${receiver.origin}/python?[a].tar.gz`, sha256: '' },
    ];
    guest = new GuestSandbox(builder({ report, packages: ['numpy'], interpreters: [], ...plan }));
    const written = writeInterpreterArchive(join(guest.folder, 'archive.tar.gz'));
    archive = written.content;
    const [first] = interpreters;
    if (first !== undefined) first.sha256 = sha256 ?? written.sha256;
    const path = '/etc/gateway/first-boot/plan';
    const line = `interpreter ${first?.architecture} ${first?.sha256} ${first?.url}\n`;
    guest.write(path, `${guest.read(path)}${line}`);
    return guest;
  }

  it('puts the interpreter that the library brings on the share', async () => {
    const guest = guestOf({ bringsInterpreter: true });

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, undefined);
    assert.deepEqual(receiver.finals[0]?.manifest?.packages, ['numpy==1']);
    assert.notEqual(guest.read(`${share}/python/bin/python3`), null);
    assert.match(
      guest.read(`${share}/python/runs`) ?? '',
      /\/workspace\/python\/bin\/python3 -m pip install /,
    );
    assert.doesNotMatch(guest.read(`${share}/python/runs`) ?? '', /--prefix|--target|--ignore-installed/);
  });

  it('puts only packages on the share with the interpreter of a dependency', async () => {
    const guest = guestOf({ constraints: ['six==1'] });

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, undefined);
    assert.deepEqual(receiver.finals[0]?.manifest?.packages, ['numpy==1']);
    assert.equal(existsSync(guest.path(`${share}/python/bin`)), false);
    const runs = guest.read('/var/lib/gateway/first-boot/python/runs') ?? '';
    const words = ['--ignore-installed', '--prefix', guest.path(`${share}/python`), '--constraint'];
    assert.ok(runs.includes(words.join(' ')), runs);
  });

  it('stops with both checksums if the archive has another one', async () => {
    const guest = guestOf({ bringsInterpreter: true }, 'ab'.repeat(32));

    await guest.boot();

    assert.equal(receiver.finals[0]?.stage, 'tools');
    assert.match(
      receiver.finals[0]?.error ?? '',
      /^the archive of the interpreter has the SHA-256 [0-9a-f]{64}, but (ab){32} is configured$/,
    );
    assert.equal(guest.read(partial), null);
    assert.equal(existsSync(guest.path('/workspace/python/bin')), false);
  });

  it('continues an interrupted download', async () => {
    const guest = guestOf({ bringsInterpreter: true });
    guest.write(partial, archive.subarray(0, 100));

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, undefined);
    assert.deepEqual(receiver.ranges, ['bytes=100-']);
  });

  it('starts a download again that the server does not continue', async () => {
    const guest = guestOf({ bringsInterpreter: true });
    guest.write(partial, Buffer.concat([archive, archive]));

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, undefined);
    assert.deepEqual(receiver.ranges, [`bytes=${2 * archive.length}-`, undefined]);
  });

  it('stops on an architecture without an archive', async () => {
    const guest = guestOf({ bringsInterpreter: true });
    guest.write('/bin/uname', '#!/bin/sh\necho riscv64\n');

    await guest.boot();

    assert.equal(receiver.finals[0]?.error, 'no interpreter is configured for the architecture riscv64');
  });
});
