import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Acts as an interpreter whose only module is pip: records its runs in the file `runs` of its prefix, and
 * installs the metadata of each requirement.
 */
const fakePython = `#!/bin/bash
prefix=$(dirname "$(dirname "$0")")
printf '%s %s\n' "$0" "$*" >> "$prefix/runs"
for ((i = 1; i <= $#; i++)); do
    if [ "\${!i}" = --prefix ]; then next=$((i + 1)); prefix=\${!next}; fi
done
while [ "$1" != -- ]; do shift; done
shift
for requirement; do
    folder=$prefix/lib/python3.11/site-packages/$requirement-1.dist-info
    mkdir -p "$folder"
    printf 'Name: %s\nVersion: 1\n' "$requirement" > "$folder/METADATA"
done
`;

/** Writes the archive of an interpreter. */
export function writeInterpreterArchive(path: string): { content: Buffer; sha256: string } {
  const folder = mkdtempSync(join(tmpdir(), 'interpreter-'));
  mkdirSync(join(folder, 'python/bin'), { recursive: true });
  writeFileSync(join(folder, 'python/bin/python3'), fakePython, { mode: 0o755 });
  execFileSync('tar', ['--create', '--gzip', '--file', path, '--directory', folder, 'python']);
  rmSync(folder, { recursive: true });
  const content = readFileSync(path);
  return { content, sha256: createHash('sha256').update(content).digest('hex') };
}

/** This machine's architecture, as in plans. */
export const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';

/** The value of the plan for an archive that runs on this machine. */
export function machineArchive(sha256: string, url: string): string {
  return `${architecture} ${sha256} ${url}`;
}
