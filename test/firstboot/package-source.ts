import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PythonPackage, tinyPackage, wheelName, wheelOf } from './wheel.ts';

/** A pip requirement that installs from the web server of `packageSource`. */
export const tinyRequirement = requirementOf(tinyPackage);

export function requirementOf(spec: PythonPackage): string {
  return `${spec.name} @ http://10.0.2.2/${wheelName(spec)}`;
}

/**
 * Prepares the packages that machines install: a folder for the web server with the wheel and the system
 * packages that the image lacks, and vendor data with the folder as a source.
 *
 * @param pipConfig lines of the configuration of pip
 * @returns options of `boot`
 */
export function packageSource(folder: string, pipConfig: string[] = []): string[] {
  writeFileSync(join(folder, wheelName(tinyPackage)), wheelOf(tinyPackage));
  const packages = join(folder, 'apt');
  mkdirSync(packages);
  // Without this option apt downloads as another user, who may not write here.
  execFileSync(
    'apt-get',
    [
      ...['-o', 'APT::Sandbox::User=root', 'download'],
      ...['python3-pip', 'python3-setuptools', 'python3-wheel'],
    ],
    { cwd: packages, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  writeIndex(packages);
  const vendorData = join(folder, 'vendor-data');
  const configuration = {
    apt: { sources: { site: { source: 'deb [trusted=yes] http://10.0.2.2/apt ./' } } },
    bootcmd: [['sh', '-c', 'printf "%s\\n" "$@" > /etc/pip.conf', 'sh', ...pipConfig]],
  };
  // JSON is valid YAML.
  writeFileSync(vendorData, `#cloud-config\n${JSON.stringify(configuration)}\n`);
  return ['--http-dir', folder, '--vendor-data', vendorData];
}

function writeIndex(folder: string): void {
  const entries = readdirSync(folder).map((file) => {
    const content = readFileSync(join(folder, file));
    const control = execFileSync('dpkg-deb', ['--field', join(folder, file)], { encoding: 'utf8' });
    return `${control}Filename: ./${file}\nSize: ${content.length}\nSHA256: ${sha256(content)}\n`;
  });
  const index = entries.join('\n');
  writeFileSync(join(folder, 'Packages'), index);
  writeFileSync(
    join(folder, 'Release'),
    `Origin: site\nDate: ${new Date().toUTCString()}\nSHA256:\n ${sha256(index)} ${Buffer.byteLength(index)} Packages\n`,
  );
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
