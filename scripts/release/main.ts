import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { audit } from '../audit/audit.ts';
import { projectRoot } from '../server-process.ts';
import { buildArtefacts } from './artefacts.ts';
import { releaseChangelog } from './changelog.ts';
import { gitIn } from './run.ts';
import { currentVersion, writeVersion } from './version-files.ts';

const USAGE = `usage: npm run release -- [--dry-run] <version>
  Commits and tags the version, and writes the files to publish to release/. With --dry-run, only writes these.`;
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
const BRANCH = 'main';

/**
 * Makes a release of the checked-out commit. Nothing leaves the machine: push the branch and the tag, and
 * publish the files. If a step fails, the tree is as before.
 */
async function release(version: string, { isDryRun }: { isDryRun: boolean }): Promise<void> {
  const folder = projectRoot;
  const git = (...args: string[]) => gitIn(folder, args);
  await requireReleasable(git, version, isDryRun);
  const vulnerabilities = await audit(folder);
  if (vulnerabilities.state === 'found') throw new Error(vulnerabilities.message);
  if (vulnerabilities.state === 'unknown') {
    if (!isDryRun) throw new Error(`${vulnerabilities.message} A release needs the answer.`);
    console.error(vulnerabilities.message);
  }
  const before = await git('rev-parse', 'HEAD');
  const changelog = join(folder, 'CHANGELOG.md');
  const today = new Date().toISOString().slice(0, 10);
  try {
    writeFileSync(changelog, releaseChangelog(readFileSync(changelog, 'utf8'), version, today));
    writeVersion(folder, version);
    await git('commit', '--all', '--quiet', '--message', `Release ${version}`);
    const names = await buildArtefacts(folder, version, 'HEAD');
    if (!isDryRun) await git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
    console.log(names.map((name) => `release/${name}`).join('\n'));
  } catch (error) {
    rmSync(join(folder, 'release'), { recursive: true, force: true });
    await git('reset', '--hard', '--quiet', before);
    throw error;
  }
  if (isDryRun) await git('reset', '--hard', '--quiet', before);
  console.log(
    isDryRun
      ? 'This was a dry run: nothing is committed or tagged.'
      : `Committed and tagged as v${version}. To publish: git push ${BRANCH} and v${version}, build the image from the source archive, npm publish the client and the command line.`,
  );
}

async function requireReleasable(
  git: (...args: string[]) => Promise<string>,
  version: string,
  isDryRun: boolean,
): Promise<void> {
  const changes = await git('status', '--porcelain');
  if (changes !== '') throw new Error('The tree has changes that are not committed.');
  const branch = await git('branch', '--show-current');
  if (!isDryRun && branch !== BRANCH) throw new Error(`Releases are made on ${BRANCH}, not on ${branch}.`);
  const current = currentVersion(projectRoot);
  const tags = (await git('tag', '--list', 'v*')).split('\n');
  if (tags.includes(`v${version}`)) throw new Error(`The tag v${version} exists already.`);
  if (isOlder(version, current)) throw new Error(`${version} is older than ${current}.`);
}

function isOlder(version: string, other: string): boolean {
  const [left, right] = [version, other].map((text) => text.split('.').map(Number));
  const index = left?.findIndex((number, at) => number !== right?.[at]) ?? -1;
  return index >= 0 && (left?.[index] ?? 0) < (right?.[index] ?? 0);
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const [version = '', ...rest] = positionals;
  if (!VERSION.test(version) || rest.length > 0) throw new Error(USAGE);
  await release(version, { isDryRun: values['dry-run'] });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
