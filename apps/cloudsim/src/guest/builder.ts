import { createHash } from 'node:crypto';
import { pipInstall } from './pip.ts';
import { FIRST_BOOT } from './plan.ts';
import { ReportedWork, secondsOf, type WorkResult } from './reported-work.ts';
import type { Role } from './role.ts';
import type { Vm } from './vm.ts';

/** Installs a library into a share, reports to the URL in its plan, and powers off. */
export const builder: Role = {
  task: 'build',
  run(vm) {
    const work = new ReportedWork(vm);
    return work.run(() => install(work));
  },
};

/** Null when the machine powers off before the end. */
async function install(work: ReportedWork): Promise<WorkResult | null> {
  const { vm } = work;
  const { outcome } = vm.cloud.settings.guest;
  work.startStage('share');
  if (!(await work.hasShareAccess())) return { success: false, error: 'the share cannot be mounted' };
  work.startStage('packages');
  const timeout = await work.spendTime();
  if (outcome === 'powers-off') return null;
  if (timeout !== null) return timeout;
  if (outcome === 'fails') {
    return {
      success: false,
      error: `no matching distribution found for ${vm.machine.plan.all('package_1')[0] ?? 'pip'}`,
    };
  }
  let packages: string[];
  try {
    packages = installPackages(vm);
  } catch (error) {
    return { success: false, error: error instanceof Error ? error.message : String(error) };
  }
  for (const name of packages) work.log(`Successfully installed ${name}`);
  work.startStage('manifest');
  const result = { success: true as const, manifest: manifestOf(vm, packages) };
  work.startStage('done');
  return result;
}

function installPackages({ cloud, machine }: Vm): string[] {
  return pipInstall({
    requirements: machine.plan.all('package_1'),
    constraints: (machine.data.files.get(`${FIRST_BOOT}/constraints`) ?? '')
      .split('\n')
      .filter((line) => line !== ''),
    index: cloud.settings.guest.packageVersions,
  });
}

function manifestOf({ cloud, machine: { plan } }: Vm, packages: string[]): object {
  const library = plan.get('library') ?? '';
  const version = plan.get('version') ?? '';
  const checksum = createHash('sha256')
    .update([library, version, ...packages].join('\n'))
    .digest('hex');
  const built_at = secondsOf(cloud.clock.now());
  return { library, version, built_at, files: 1 + 40 * packages.length, checksum, packages };
}
