import assert from 'node:assert/strict';
import { builderFirstBootData } from '@gateway/cloud-init';
import { GatewayError } from '@gateway/core';
import { builder, cephLayer, filesOf, interpreters, nfsLayer, readBack, setting } from './plan.ts';

const planPath = '/etc/gateway/first-boot/plan';
const sharePath = '/etc/systemd/system/var-lib-gateway-share.mount';

/** Every character up to 0xff, and texts with a meaning in YAML, shells or MIME. */
const nasty = [
  String.fromCharCode(...Array.from({ length: 255 }, (_, code) => code + 1)),
  '#!/bin/sh\necho "$(id)" `id` \'$x\' \\\n\t*x &a !b %c @d\n',
  '\n\n  leading blanks\n\n\n',
  ' \t',
  'a\r\nb\rc',
  '--part-1\n--part-2--\n\n--part-3',
  'From me\nContent-Type: text/plain\n\n.\n',
  '- a: b # c\n---\n...\n',
  'größe 日本 😀 \u0085\u2028\ufeff',
  'yes',
  '=',
  '<<',
  ' \n',
  'x'.repeat(3000),
];

describe('builderFirstBootData', () => {
  it('has a plan with a line per value', () => {
    const plan = builder({ pythonVersion: '3.11', packages: ['numpy==2.1', 'x; y > "3"'] });

    assert.deepEqual(filesOf(plan).get(planPath)?.trimEnd().split('\n'), [
      'task build',
      'library arrays',
      'version 2.1',
      'python_version 3.11',
      'mount_type nfs',
      'package_1 numpy==2.1',
      'package_1 x; y > "3"',
      'report_url http://10.0.0.9:8000/report',
      'time_limit 1800',
    ]);
  });

  it('names the archives of an interpreter, and whether the library brings it', () => {
    const plan = builder({ interpreters, bringsInterpreter: true });

    assert.deepEqual(
      filesOf(plan)
        .get(planPath)
        ?.match(/^.*interpreter.*$/gm),
      [
        ...interpreters.map(
          ({ architecture, sha256, url }) => `interpreter ${architecture} ${sha256} ${url}`,
        ),
        'brings_interpreter yes',
      ],
    );
    assert.doesNotMatch(filesOf(builder({ interpreters })).get(planPath) ?? '', /brings_interpreter/);
  });

  it('omits the Python version if the library supports any', () => {
    assert.equal(filesOf(builder()).get(planPath)?.includes('python_version'), false);
  });

  it('negotiates NFS versions from 4.1', () => {
    const path = '/etc/nfsmount.conf.d/gateway.conf';

    assert.equal(
      filesOf(builder({ share: nfsLayer('arrays').share })).get(path),
      '[ NFSMount_Global_Options ]\nDefaultvers=4.1\n',
    );
    assert.equal(filesOf(builder({ share: cephLayer('arrays').share })).has(path), false);
  });

  it('mounts the share writable, with its key in a root-only file', () => {
    const plan = builder({ share: cephLayer('arrays').share });

    const options = setting(filesOf(plan).get(sharePath), 'Options');

    assert.match(
      options ?? '',
      /^rw,name=reader-arrays,secretfile=\/etc\/gateway\/first-boot\/share\.secret,_netdev/,
    );
    const secret = readBack(plan).write_files?.find(
      ({ path }) => path === '/etc/gateway/first-boot/share.secret',
    );
    assert.equal(secret?.permissions, '0600');
  });

  it('has the token only in one file that only root can read', () => {
    const token = `t'"\\$(reboot)\`id\` # : - &a *a %s {}[]!|>`;
    const plan = builder({ report: { ...builder().report, token } });

    const containing = readBack(plan).write_files?.filter(({ content }) => content.includes(token));

    assert.deepEqual(containing, [
      { path: '/etc/gateway/first-boot/report-token', permissions: '0600', content: `${token}\n` },
    ]);
  });

  it('contains the constraints, a line each, only if there are any', () => {
    const path = '/etc/gateway/first-boot/constraints';
    const plan = builder({ constraints: ['numpy==2.1', 'six==1.17'] });

    assert.equal(filesOf(plan).get(path), 'numpy==2.1\nsix==1.17\n');
    assert.equal(filesOf(builder()).has(path), false);
  });

  it('contains the certificate of the gateway’s authority if one is configured', () => {
    const caCertificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    const plan = builder({ report: { ...builder().report, caCertificate } });

    assert.equal(filesOf(plan).get('/etc/gateway/first-boot/report-ca.pem'), caCertificate);
    assert.equal(filesOf(builder()).has('/etc/gateway/first-boot/report-ca.pem'), false);
  });

  it('contains the commands unchanged, named in their order', () => {
    const files = filesOf(builder({ commands: nasty }));

    const commands = [...files].filter(([path]) => path.startsWith('/etc/gateway/first-boot/commands/'));
    assert.deepEqual(
      commands.map(([, content]) => content),
      nasty,
    );
    assert.deepEqual(
      commands.map(([path]) => path.slice(-2)),
      ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13', '14'],
    );
  });

  it('keeps the order of more than a hundred commands', () => {
    const commands = Array.from({ length: 120 }, (_, index) => `echo ${index}`);
    const paths = [...filesOf(builder({ commands })).keys()].filter((path) => path.includes('/commands/'));

    assert.deepEqual(paths, paths.toSorted());
    assert.equal(new Set(paths).size, 120);
  });

  it('has no value of the plan in a script', () => {
    const scripts = (plan: Parameters<typeof filesOf>[0]) =>
      [...filesOf(plan)].filter(([path]) => path.startsWith('/usr/local/'));
    const hostile = builder({
      hostname: '$(reboot)',
      library: { id: '$(reboot)', version: '`id`' },
      pythonVersion: '"; reboot',
      packages: ['$(reboot)'],
      commands: nasty,
      share: nfsLayer('b').share,
    });

    assert.deepEqual(scripts(hostile), scripts(builder()));
    assert.ok(scripts(hostile).length >= 6);
  });

  const invalid = {
    'a token of two lines': { report: { ...builder().report, token: 'secret\nmore' } },
    'an empty token': { report: { ...builder().report, token: '' } },
    'a requirement of two lines': { packages: ['secret\ntime_limit 9'] },
    'a constraint of two lines': { constraints: ['secret\n-r /etc/passwd'] },
    'a version of two lines': { library: { id: 'a', version: 'secret\n1' } },
    'a report URL with another protocol': { report: { ...builder().report, url: 'file:///secret' } },
    'a report URL of two lines': { report: { ...builder().report, url: 'http://a/\ntask secret' } },
    'a time limit of zero': { timeLimitSeconds: 0 },
    'a time limit of half a second': { timeLimitSeconds: 0.5 },
  };
  for (const [what, plan] of Object.entries(invalid)) {
    it(`refuses ${what}, without its value in the message`, () => {
      assert.throws(
        () => builderFirstBootData(builder(plan)),
        (error) => error instanceof Error && !error.message.includes('secret'),
      );
    });
  }

  it('refuses a reported share that cannot be mounted', () => {
    const share = { ...nfsLayer('a').share, exportLocation: 'host:/a b' };

    assert.throws(
      () => builderFirstBootData(builder({ share })),
      (error) => error instanceof GatewayError && error.status === 502,
    );
  });
});
