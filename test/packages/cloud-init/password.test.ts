import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hashPassword } from '@gateway/cloud-init';

/** Around the lengths of a digest and its multiples. */
const LENGTHS = [1, 31, 32, 33, 63, 64, 65, 127, 128, 192, 255];

/** The C library's hash of the password; null without a program that computes it. */
function cryptOf(password: string, salt: string): string | null {
  const { status, stdout } = spawnSync('perl', ['-e', 'print crypt($ARGV[0], $ARGV[1])', password, salt], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout : null;
}

describe('hashPassword', () => {
  for (const password of [
    ...LENGTHS.map((length) => 'xyzw'.repeat(64).slice(0, length)),
    'größe €'.repeat(20),
  ]) {
    it(`makes the hash of the C library for ${Buffer.byteLength(password)} bytes`, async function () {
      const hash = await hashPassword(password);
      const [, id, salt] = hash.split('$');
      const expected = cryptOf(password, `$${id}$${salt}$`);
      if (expected === null) this.skip();

      assert.equal(hash, expected);
      assert.match(hash, /^\$6\$[./\w]{16}\$[./\w]{86}$/);
    });
  }

  it('gives each hash a salt of its own', async () => {
    assert.notEqual(await hashPassword('secret'), await hashPassword('secret'));
  });

  it('leaves the event loop to others meanwhile', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);

    await hashPassword('x'.repeat(255));

    isDone = true;
    assert.ok(turns > 1, `${turns} turns`);
  });
});
