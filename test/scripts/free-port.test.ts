import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, freePortNear } from '../../scripts/free-port.ts';
import { projectRoot } from '../../scripts/server-process.ts';

/** Of random ports, so many would hardly ever be different. */
const MANY = 450;

describe('freePort', () => {
  it('returns no port twice, also to another process, before a server listens', async () => {
    const script = `
      import { freePort } from '${join(projectRoot, 'scripts/free-port.ts')}';
      for (let number = 0; number < ${MANY}; number += 1) console.log(await freePort());`;
    const another = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const mine: number[] = [];
    for (let number = 0; number < MANY; number += 1) mine.push(await freePort());
    const theirs = (await another).stdout.trim().split('\n').map(Number);

    assert.equal(new Set([...mine, ...theirs]).size, 2 * MANY);
  });
});

describe('freePortNear', () => {
  it('returns the wanted port, or another one if any is wanted', async () => {
    const wanted = await freePort();

    assert.equal(await freePortNear(wanted), wanted);
    assert.notEqual(await freePortNear(0), 0);
  });
});
