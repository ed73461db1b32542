import assert from 'node:assert/strict';
import { AllowedAddresses, urlProblem } from '@gateway/webhooks';

const FORBIDDEN = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.8.8.8',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
];

describe('the addresses of webhooks', () => {
  const allowed = new AllowedAddresses([]);

  it('are public ones only', () => {
    assert.deepEqual(
      FORBIDDEN.filter((address) => allowed.isAllowed(address)),
      [],
    );
    assert.ok(allowed.isAllowed('93.184.216.34'));
    assert.ok(allowed.isAllowed('2606:2800:220:1::1'));
  });

  it('are also those of the networks that the site allows', () => {
    const some = new AllowedAddresses(['10.20.0.0/24', '192.168.7.9', 'fd12::/16']);
    const of = (...addresses: string[]) => addresses.map((address) => some.isAllowed(address));

    assert.deepEqual(of('10.20.0.7', '::ffff:10.20.0.7', '192.168.7.9', 'fd12::1'), [true, true, true, true]);
    assert.deepEqual(of('10.20.1.7', '192.168.7.8', 'fd13::1'), [false, false, false]);
  });

  for (const [url, problem] of [
    ['https://hooks.example.org/a?token=b', null],
    ['https://93.184.216.34:8443/', null],
    ['https://[2606:2800:220:1::1]/', null],
    ['http://hooks.example.org/', 'must begin with https://'],
    ['ftp://hooks.example.org/', 'must begin with https://'],
    ['https://user@hooks.example.org/', 'must not contain a user or a password'],
    ['https://hooks.example.org/#x', 'must not contain a fragment'],
    ['https://127.0.0.1/', 'must not be an address of an internal network'],
    ['https://2130706433/', 'must not be an address of an internal network'],
    ['https://0x7f.1/', 'must not be an address of an internal network'],
    ['https://0177.0.0.1/', 'must not be an address of an internal network'],
    ['https://[::ffff:169.254.169.254]/', 'must not be an address of an internal network'],
    ['https://169.254.169.254/latest/', 'must not be an address of an internal network'],
    ['hooks.example.org', 'must be a URL'],
  ] as const) {
    it(`of ${url}: ${problem ?? 'accepted'}`, () => {
      assert.equal(urlProblem(url, { allowed, allowHttp: false }), problem);
    });
  }

  it('may be reached without TLS only if the site allows it', () => {
    const rules = { allowed, allowHttp: true };

    assert.equal(urlProblem('http://hooks.example.org/', rules), null);
    assert.equal(urlProblem('ftp://hooks.example.org/', rules), 'must begin with https:// or http://');
  });
});
