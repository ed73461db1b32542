import assert from 'node:assert/strict';
import { resolveName } from '@gateway/webhooks';
import { DnsServer } from '../../support/doubles/dns-server.ts';
import { eventually } from '../../support/eventually.ts';

const IPV6 = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
const SILENT = Array.from({ length: 10 }, (_, n) => `silent-${n}.example.org`);

describe('the name of a webhook', () => {
  let server: DnsServer;

  before(async () => {
    server = await new DnsServer({
      'both.example.org': { 4: [192, 0, 2, 7], 6: IPV6 },
      'old.example.org': { 4: [192, 0, 2, 8] },
      'new.example.org': { 6: IPV6 },
      'empty.example.org': {},
      ...Object.fromEntries(SILENT.map((name) => [name, null])),
    }).start();
  });
  after(() => server.close());

  const addressesOf = async (name: string) =>
    (await resolveName(name, [server.address])).map(({ address, family }) => `${family} ${address}`);

  it('has all addresses that DNS has for it', async () => {
    assert.deepEqual(await addressesOf('both.example.org'), ['4 192.0.2.7', '6 2001:db8::1']);
    assert.deepEqual(await addressesOf('old.example.org'), ['4 192.0.2.8']);
    assert.deepEqual(await addressesOf('new.example.org'), ['6 2001:db8::1']);
  });

  it('is refused without an address', async () => {
    for (const name of ['empty.example.org', 'unknown.example.org'])
      await assert.rejects(addressesOf(name), /has no address/, name);
  });

  it('holds up no other one while its servers are silent', async () => {
    for (const name of SILENT) void addressesOf(name).catch(() => {});
    // The resolver of the system asks for two names at once.
    await eventually(async () => SILENT.every((name) => server.asked.has(name)));

    assert.deepEqual(await addressesOf('old.example.org'), ['4 192.0.2.8']);
  });
});
