import { appendFileSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob, relative } from 'node:path';
import { run } from '../../../scripts/release/run.ts';
import { root } from '../source/workspaces.ts';
import { runInContainer } from './container.ts';
import { type Instruction, readDockerfile } from './dockerfile.ts';

export interface Image {
  /** The folder that is the root of the container's file system. */
  rootfs: string;
  environment: Record<string, string>;
  folder: string;
  command: string[];
  remove(): void;
}

/** What the programs of the image's Debian use. Node's program needs the C++ library. */
const PACKAGES = ['base-files', 'coreutils', 'dash', 'libstdc++6'];
const SHELL = ['/bin/sh', '-c'];

/**
 * Builds the image of `deploy/Dockerfile` without a registry of images: its base is made of Debian's packages
 * and of the Node.js that runs this process. The stage that installs packages runs on this machine, whose npm
 * knows the registry of packages.
 *
 * @param mmdebstrap path of the program
 * @throws with the program's output if a step fails
 */
export async function buildImage(mmdebstrap: string, runc: string): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-image-'));
  const stages = readDockerfile(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'));
  const last = stages.at(-1);
  const image: Image = {
    rootfs: join(folder, 'rootfs'),
    environment: {},
    folder: '/',
    command: [],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  try {
    for (const stage of stages) {
      const isLast = stage === last;
      const files = isLast ? image.rootfs : join(folder, stage.name ?? '');
      if (isLast) await makeBase(mmdebstrap, files);
      let workdir = '/';
      for (const instruction of stage.instructions) {
        if (instruction.keyword === 'WORKDIR') {
          workdir = instruction.value;
          mkdirSync(join(files, workdir), { recursive: true });
        } else if (instruction.keyword === 'COPY') {
          copyFiles(instruction, folder, join(files, workdir));
        } else if (instruction.keyword === 'ENV' && isLast) {
          Object.assign(image.environment, instruction.variables);
        } else if (instruction.keyword === 'CMD') {
          image.command = instruction.command;
        } else if (instruction.keyword === 'RUN' && isLast) {
          await runInContainer(runc, { ...image, folder: workdir }, [...SHELL, instruction.command]);
        } else if (instruction.keyword === 'RUN') {
          await run('/bin/sh', ['-c', instruction.command], join(files, workdir));
        }
      }
      if (isLast) image.folder = workdir;
    }
    return image;
  } catch (error) {
    image.remove();
    throw error;
  }
}

/** A Debian with Node.js and the user `node`, like the image that `deploy/Dockerfile` begins with. */
async function makeBase(mmdebstrap: string, rootfs: string): Promise<void> {
  const include = `--include=${PACKAGES.join(',')}`;
  await run(mmdebstrap, ['--variant=extract', include, 'bookworm', rootfs], root);
  mkdirSync(join(rootfs, 'usr/local/bin'), { recursive: true });
  copyFileSync(process.execPath, join(rootfs, 'usr/local/bin/node'));
  appendFileSync(join(rootfs, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n');
  appendFileSync(join(rootfs, 'etc/group'), 'node:x:1000:\n');
}

function copyFiles(
  { from, sources, target }: Extract<Instruction, { keyword: 'COPY' }>,
  stages: string,
  workdir: string,
): void {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  /** The last pattern that matches decides. One with an exclamation mark sends the file. */
  const isSent = (path: string) => {
    const matches = (pattern: string) => matchesGlob(relative(root, path), pattern.replace(/^!/, ''));
    return ignored.findLast(matches)?.startsWith('!') ?? true;
  };
  for (const source of sources) {
    const path = from === undefined ? join(root, source) : join(stages, from, source);
    if (from === undefined && !isSent(path)) throw new Error(`.dockerignore leaves out ${source}.`);
    const isFile = from === undefined && /\.\w+$/.test(source);
    const into = isFile ? join(workdir, target, source.split('/').at(-1) ?? '') : join(workdir, target);
    cpSync(path, into, {
      recursive: true,
      verbatimSymlinks: true,
      ...(from === undefined && { filter: isSent }),
    });
  }
}
