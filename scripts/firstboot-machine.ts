import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './server-process.ts';

/** The tool that boots virtual machines. It is next to the project; its README lists the requirements. */
const toolFolder = join(projectRoot, '../shared/firstboot-vm');

export const bootCommand = join(toolFolder, 'boot');

/** Files of the tool that tests may serve to machines. */
export const examplesFolder = join(toolFolder, 'examples');

/** Debian releases of images. Each has another version of Python. */
export type ImageName = 'bookworm' | 'trixie';

/** The environment in which the tool uses the image. */
export function imageEnvironment(image: ImageName): Record<string, string> {
  return image === 'bookworm' ? {} : { FIRSTBOOT_STATE_DIR: `/var/lib/gateway-firstboot-${image}` };
}

/** Builds the image of the release if it is missing. @throws if it cannot be built */
export function prepareImage(image: ImageName): void {
  execFileSync(join(toolFolder, 'build-image'), ['--suite', image], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...imageEnvironment(image) },
  });
}

/** Builds the machine image if it is missing. Returns the reason if machines cannot boot, otherwise null. */
export function prepareMachine(): string | null {
  if (!existsSync(bootCommand)) return `there is no ${bootCommand}`;
  if (process.getuid?.() !== 0) return 'it takes root';
  const { status, error } = spawnSync(join(toolFolder, 'build-image'), ['--ceph'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined) return error.message;
  return status === 0 ? null : `build-image ended with ${status}, see above`;
}
