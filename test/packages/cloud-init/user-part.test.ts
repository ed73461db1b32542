import assert from 'node:assert/strict';
import { checkFirstBootSize } from '@gateway/cloud-init';
import { cephLayer, dataOf, layered, partsOf, plain } from './plan.ts';

const SCRIPT = '#!/bin/sh\r\necho größe --part-1\n';

describe('the first-boot data of users', () => {
  const nameOf = ({ headers }: { headers: Map<string, string> }) =>
    /filename="(.*)"/.exec(headers.get('content-disposition') ?? '')?.[1];

  it('is the last part, unchanged, with any characters', () => {
    const parts = partsOf(dataOf({ ...layered([cephLayer('a')]), userData: SCRIPT }));

    assert.deepEqual(parts.map(nameOf), ['machine.yaml', 'files.yaml', 'gateway-first-boot', 'user-data']);
    assert.equal(Buffer.from(parts.at(-1)?.text ?? '', 'base64').toString(), SCRIPT);
  });

  it("has a script that runs after the gateway's, by name", () => {
    const names = partsOf(dataOf({ ...layered([cephLayer('a')]), userData: SCRIPT })).map(nameOf);

    assert.deepEqual(names.slice(2), names.slice(2).toSorted());
  });

  it("adds to the gateway's lists, and replaces no key", () => {
    const part = partsOf(dataOf({ ...plain(), userData: '#cloud-config\nruncmd: [ls]\n' })).at(-1);

    assert.equal(part?.headers.get('merge-type'), 'list(append)+dict(no_replace,recurse_list)+str()');
    assert.match(part?.headers.get('content-type') ?? '', /^text\/plain/);
  });

  it('counts for the size', () => {
    const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex');

    assert.throws(() => checkFirstBootSize([], null, { userData: `#!${random()}` }), /shorten your own/);
    checkFirstBootSize([], null, { userData: `#!${'x'.repeat(32_766)}` });
  });
});
