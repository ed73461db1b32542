import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { builder, cephLayer, dataOf, layered, partsOf, plain } from './plan.ts';

const lookalikes = ['--part-1', 'part-1', '--part-2--', 'part-3 and part-4'];

const plans = {
  'a plain instance': plain(),
  'a layered instance': { ...layered([cephLayer('a', { accessKey: 'größe' })]), passwordHash: '$6$a$b' },
  'a builder': builder({ commands: [...lookalikes, 'echo größe\r\n'] }),
};

describe('multi-part first-boot data', () => {
  for (const [machine, plan] of Object.entries(plans)) {
    it(`of ${machine} is plain ASCII, which cloud-init’s reader of mail leaves as it is`, () => {
      assert.match(dataOf(plan), /^[\t\n\x20-\x7e]+$/);
    });

    it(`of ${machine} has no key in two parts, of which one would be lost`, () => {
      const keys = partsOf(dataOf(plan))
        .filter(({ headers }) => headers.get('content-type')?.startsWith('text/cloud-config'))
        .flatMap(({ text }) => Object.keys(parse(text, { version: '1.1' })));

      assert.equal(new Set(keys).size, keys.length);
    });
  }

  it('is told apart from a plain script within its first bytes', () => {
    assert.match(
      dataOf(plans['a builder']),
      /^Content-Type: multipart\/mixed; boundary="part-5"\nMIME-Version: 1\.0\n\n/,
    );
  });

  it('has every text of a single line in quotes, since YAML 1.1 takes some without for no text', () => {
    const commands = ['=', '<<', 'yes', '0600', '12:30:00', '~'];

    const lines = dataOf(builder({ commands }))
      .split('\n')
      .map((line) => line.trim());

    for (const command of commands) assert.ok(lines.includes(`content: "${command}"`), command);
  });

  it('parts what holds lines that look like its own', () => {
    const parts = partsOf(dataOf(plans['a builder']));

    assert.deepEqual(
      parts.map(({ headers }) => /filename="(.*)"/.exec(headers.get('content-disposition') ?? '')?.[1]),
      ['machine.yaml', 'files.yaml', 'gateway-first-boot'],
    );
  });
});
