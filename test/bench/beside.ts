import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/server-process.ts';
import { formatComparison, type Row } from './row.ts';

/**
 * Measures each row here and in another commit, alternately, so that both have the same machine; prints both
 * results beside each other. The other commit is checked out in a temporary folder, and installs its own
 * packages there. A row that it lacks stays empty.
 */
export function measureBeside(
  commit: string,
  { names, resultsFile }: { names: readonly string[]; resultsFile: string },
): void {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const other = join(folder, 'tree');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', other, commit], { cwd: projectRoot });
  try {
    const pairs: [here: Row, there: Row | undefined][] = [];
    for (const name of names) {
      const there = new Map(measureIn(other, name, resultsFile).map((row) => [row.name, row]));
      pairs.push(
        ...measureIn(projectRoot, name, resultsFile).map((row): [Row, Row | undefined] => [
          row,
          there.get(row.name),
        ]),
      );
    }
    console.log(formatComparison(commit, pairs));
    if (pairs.some(([{ met }]) => !met)) process.exitCode = 1;
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', other], { cwd: projectRoot });
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureIn(folder: string, name: string, resultsFile: string): Row[] {
  const file = join(folder, resultsFile);
  rmSync(file, { force: true });
  const args = [join('scripts', 'run.sh'), join('test', 'bench', 'main.ts'), name];
  spawnSync('sh', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const { rows } = JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] };
  return rows;
}
