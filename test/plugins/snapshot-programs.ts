import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pluginImages } from '@gateway/lite';

const MODULE = 'github.com/kubernetes-csi/external-snapshotter/v8';
/** The module replaces it with a folder of its own, which Go ignores for others. */
const CLIENT_MODULE = 'github.com/kubernetes-csi/external-snapshotter/client/v8';
/** The name of an image is also that of its program, and of the program's package. */
const PROGRAMS = ['snapshot-controller', 'csi-snapshotter'] as const;
const REPOSITORY = 'registry.k8s.io/sig-storage';

/** A program as the bed describes those of its images in `lib/images.json`. */
interface BedImage {
  /** The file on this machine. */
  program: string;
  /** Its path in the image. */
  path: string;
  entrypoint: string[];
  cmd: string[];
}

/**
 * The programs of snapshots by the names of their images, in the releases that clusters get. The bed has none
 * of them. Builds them from their Go module if the folder does not have them, which takes some minutes. Go
 * verifies the modules with its public checksum database.
 */
export function snapshotPrograms(folder: string): Record<string, BedImage> {
  const images = pluginImages(['block_csi'], ['any']);
  return Object.fromEntries(
    PROGRAMS.map((name) => {
      const prefix = `${REPOSITORY}/${name}:`;
      const image = images.find((one) => one.startsWith(prefix));
      if (image === undefined) throw new Error(`No plugin has an image ${prefix}.`);
      const program = build(folder, name, image.slice(prefix.length));
      return [name, { program, path: `/${name}`, entrypoint: [`/${name}`], cmd: [] }];
    }),
  );
}

function build(folder: string, name: string, version: string): string {
  const module = join(folder, `external-snapshotter-${version}`);
  const program = join(module, 'bin', name);
  if (existsSync(program)) return program;
  console.log(`Building ${name} ${version} from its Go module.`);
  mkdirSync(module, { recursive: true });
  if (!existsSync(join(module, 'go.mod')))
    writeFileSync(join(module, 'go.mod'), 'module snapshot-programs\n');
  const source = `${MODULE}/cmd/${name}`;
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '' };
  const go = (...args: string[]) =>
    execFileSync('nice', ['go', ...args], { cwd: module, env, stdio: 'inherit' });
  // `go install` refuses a module with replacements.
  go('get', `${source}@${version}`, `${CLIENT_MODULE}@${version}`);
  go('build', '-trimpath', '-ldflags', `-s -w -X main.version=${version}`, '-o', program, source);
  return program;
}
