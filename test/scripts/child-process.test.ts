import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildSpec, startChild } from '../../scripts/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { root } from '../support/source/workspaces.ts';

function spec(code: string, more: Partial<ChildSpec> = {}): ChildSpec {
  return {
    name: 'sample',
    command: process.execPath,
    args: ['-e', code],
    isReady: async () => true,
    readyTimeoutMs: 5000,
    stopTimeoutMs: 300,
    ...more,
  };
}

const forEver = 'setInterval(() => {}, 1000);';

async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(50);
  }
}

describe('startChild', () => {
  it('throws with the output of a process that exits too early', async () => {
    const start = startChild(
      spec('console.error("no such table"); process.exit(7)', { isReady: async () => false }),
    );

    await assert.rejects(start, { message: /sample did not start \(exit code 7\):\n.*no such table/ });
  });

  it('kills a process that is not ready in time', async () => {
    const start = startChild(spec(forEver, { isReady: async () => false, readyTimeoutMs: 100 }));

    await assert.rejects(start, { message: /sample was not ready within 0.1 s/ });
  });

  it('throws if the program does not exist', async () => {
    const start = startChild(spec('', { command: '/nowhere/program', isReady: async () => false }));

    await assert.rejects(start, { message: /sample could not be started: .*ENOENT/ });
  });

  it('keeps the last lines of output, up to a limit', async () => {
    const last = Promise.withResolvers<void>();
    const child = await startChild(
      spec(`for (let n = 1; n <= 200; n += 1) console.log(n); ${forEver}`, {
        maxLines: 3,
        onLine: (_name, line) => line === '200' && last.resolve(),
      }),
    );

    await last.promise;
    await child.stop();

    assert.deepEqual(child.logs(), ['198', '199', '200']);
  });

  it('reports an unexpected exit', async () => {
    const child = await startChild(spec(forEver));

    process.kill(child.pid, 'SIGKILL');

    assert.equal(await child.exitedUnexpectedly, 'sample ended by itself (SIGKILL)');
  });

  it('starts a process again that somebody ends with a signal', async () => {
    const started: number[] = [];
    const child = await startChild(
      spec(`console.log('pid', process.pid); ${forEver}`, {
        restarts: true,
        onLine: (_name, line) => line.startsWith('pid') && started.push(Number(line.slice(4))),
      }),
    );
    const first = child.pid;

    process.kill(first, 'SIGKILL');
    await eventually(async () => child.pid !== first && started.includes(child.pid));
    await child.stop();

    assert.equal(child.isRunning(), false);
  });

  it('reports an error of a process that starts again after signals', async () => {
    const child = await startChild(spec('setTimeout(() => process.exit(3), 500)', { restarts: true }));

    assert.equal(await child.exitedUnexpectedly, 'sample ended by itself (exit code 3)');
  });

  it('does not report an exit that was requested', async () => {
    const child = await startChild(spec(forEver));

    await child.kill('SIGKILL');
    const first = await Promise.race([child.exitedUnexpectedly, Promise.resolve('alive until asked')]);

    assert.equal(first, 'alive until asked');
    assert.equal(child.isRunning(), false);
  });

  it('kills a process that ignores SIGTERM', async () => {
    const written: string[] = [];
    const child = await startChild(
      spec(`process.on("SIGTERM", () => {}); console.log("ignoring"); ${forEver}`, {
        isReady: async () => written.length > 0,
        onLine: (_name, line) => written.push(line),
      }),
    );

    await child.stop();

    assert.equal(child.isRunning(), false);
  });

  it('starts another process of the same kind', async () => {
    const child = await startChild(spec(forEver));
    const { pid } = child;

    await child.restart();

    assert.notEqual(child.pid, pid);
    assert.equal(child.isRunning(), true);
    await child.stop();
  });

  it('ends the process when its parent is killed', async function () {
    this.timeout(15_000);
    const starter = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { startChild } = await import(${JSON.stringify(join(root, 'scripts/child-process.ts'))});
         const child = await startChild({ name: 'sample', command: process.execPath, args: ['-e', '${forEver}'],
           isReady: async () => true, readyTimeoutMs: 5000, stopTimeoutMs: 300 });
         console.log(child.pid);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = await once(starter.stdout, 'data');
    const pid = Number(String(line));
    assert.doesNotThrow(() => process.kill(pid, 0));

    starter.kill('SIGKILL');

    await untilGone(pid);
  });
});
