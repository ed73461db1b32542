import { bootMachine, type Machine } from './machine.ts';
import { assertChecks, describeOnMachine } from './machine-suite.ts';
import { Site } from './site.ts';

const BASE = 'base-library';
const SPECIFIC = 'specific-library';
const NAME = `"quo'ted" $(touch /gateway-was-here-1) \`touch /gateway-was-here-2\` &a *a !!python/none {x: [y]} # % \\`;
const HOST_NAME = 'quoted-touch-gateway-was-here-1-touch-gateway-was-here-2-a-a-py';
const PASSWORD = `p'a"s\`s\` $(touch /gateway-was-here-3) \${HOME} &a *a !!x: {y} # % \\n | größe`;

describeOnMachine('an instance with two libraries and hostile values', () => {
  let site: Site;
  let machine: Machine;

  before(async () => {
    site = await Site.start([{ id: BASE }, { id: SPECIFIC, depends_on: [BASE] }]);
    await site.prebuiltShare(BASE, 'NFS', '10.0.2.2:/base');
    await site.prebuiltShare(SPECIFIC, 'NFS', '10.0.2.2:/specific');
    const instance = await site.createInstance({ name: NAME, libraries: [SPECIFIC], admin_pass: PASSWORD });
    machine = await bootMachine({
      name: 'two-libraries',
      userData: instance.userData,
      checks: ['libraries', 'password', 'hostile-values'],
      env: { EXPECT_HOSTNAME: HOST_NAME, PASSWORD },
      options: [
        ...['--nfs-export', `/base=${site.folder(filesOf('base'))}`],
        ...['--nfs-export', `/specific=${site.folder(filesOf('specific'))}`],
        ...instance.serialOption,
      ],
    });
  });

  after(() => site?.stop());

  it('mounts a library above the one that it depends on', () => {
    assertChecks(machine, ['cloud-init-done', 'layer-order', 'base-lowest', 'specific-above']);
  });

  it('shows a file of both libraries from the upper one', () => {
    assertChecks(machine, ['common-file-of-specific', 'module-of-specific']);
  });

  it('shows the files of either library', () => {
    assertChecks(machine, ['own-files-of-both', 'modules-of-both']);
  });

  it('converts the name to a host name', () => {
    assertChecks(machine, ['hostname']);
  });

  it('lets the default user log in with the unchanged password', () => {
    assertChecks(machine, ['password', 'logs-in', 'wrong-password-refused']);
  });

  it('executes no part of name or password, and logs no password', () => {
    assertChecks(machine, ['nothing-executed', 'no-secret-in-logs']);
  });
});

function filesOf(library: string): Record<string, string> {
  return {
    'lib/common': `${library}\n`,
    [`lib/of-${library}`]: `${library}\n`,
    'python-packages/common.py': `source = "${library}"\n`,
    [`python-packages/of_${library}.py`]: `source = "${library}"\n`,
  };
}
