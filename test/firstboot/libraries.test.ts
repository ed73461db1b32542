import { bootMachine, type Machine } from './machine.ts';
import { assertFound, describeOnMachine } from './machine-suite.ts';
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

  it('has the library that stands on the other above it', () => {
    assertFound(machine, ['cloud-init-done', 'layer-order', 'base-lowest', 'specific-above']);
  });

  it('takes a file that is in both from the more specific one', () => {
    assertFound(machine, ['common-file-of-specific', 'module-of-specific']);
  });

  it('shows what is in one of them only', () => {
    assertFound(machine, ['own-files-of-both', 'modules-of-both']);
  });

  it('makes a host name of the name', () => {
    assertFound(machine, ['hostname']);
  });

  it('lets the default user log in with the password, as it was given', () => {
    assertFound(machine, ['password', 'logs-in', 'wrong-password-refused']);
  });

  it('executes nothing of either, and logs no password', () => {
    assertFound(machine, ['nothing-executed', 'no-secret-in-logs']);
  });
});

function filesOf(library: string): Record<string, string> {
  return {
    'lib/common': `${library}\n`,
    [`lib/of-${library}`]: `${library}\n`,
    'python/common.py': `source = "${library}"\n`,
    [`python/of_${library}.py`]: `source = "${library}"\n`,
  };
}
