import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './server-process.ts';

/** What boots virtual machines; it lies beside the project, and its README says what it needs. */
const toolFolder = join(projectRoot, '../shared/firstboot-vm');

export const bootCommand = join(toolFolder, 'boot');

/** Makes the machine's image where there is none. Gives the reason why no machine can be booted, or null. */
export function prepareMachine(): string | null {
  if (!existsSync(bootCommand)) return `there is no ${bootCommand}`;
  if (process.getuid?.() !== 0) return 'it takes root';
  const { status, error } = spawnSync(join(toolFolder, 'build-image'), ['--ceph'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined) return error.message;
  return status === 0 ? null : `build-image ended with ${status}, see above`;
}
