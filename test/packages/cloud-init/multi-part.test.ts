import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { builder, cephLayer, dataOf, layered, partsOf, plain } from './plan.ts';

const boundaries = ['--part-1', 'part-1', '--part-2--', 'part-3 and part-4'];

const plans = {
  'a plain instance': plain(),
  'a layered instance': { ...layered([cephLayer('a', { accessKey: 'größe' })]), passwordHash: '$6$a$b' },
  'a builder': builder({ commands: [...boundaries, 'echo größe\r\n'] }),
};

describe('multi-part first-boot data', () => {
  for (const [machine, plan] of Object.entries(plans)) {
    it(`of ${machine} is ASCII, which cloud-init does not change`, () => {
      assert.match(dataOf(plan), /^[\t\n\x20-\x7e]+$/);
    });

    it(`of ${machine} has no key in two parts, which would lose one`, () => {
      const keys = partsOf(dataOf(plan))
        .filter(({ headers }) => headers.get('content-type')?.startsWith('text/cloud-config'))
        .flatMap(({ text }) => Object.keys(parse(text, { version: '1.1' })));

      assert.equal(new Set(keys).size, keys.length);
    });
  }

  it('starts with the headers by which cloud-init recognises it', () => {
    assert.match(
      dataOf(plans['a builder']),
      /^Content-Type: multipart\/mixed; boundary="part-5"\nMIME-Version: 1\.0\n\n/,
    );
  });

  it('quotes single-line strings, which YAML 1.1 may parse as other types', () => {
    const commands = ['=', '<<', 'yes', '0600', '12:30:00', '~'];

    const lines = dataOf(builder({ commands }))
      .split('\n')
      .map((line) => line.trim());

    for (const command of commands) assert.ok(lines.includes(`content: "${command}"`), command);
  });

  it('separates parts that contain lines like boundaries', () => {
    const parts = partsOf(dataOf(plans['a builder']));

    assert.deepEqual(
      parts.map(({ headers }) => /filename="(.*)"/.exec(headers.get('content-disposition') ?? '')?.[1]),
      ['machine.yaml', 'files.yaml', 'gateway-first-boot'],
    );
  });
});
