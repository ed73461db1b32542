import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Reads a line once the child has exited, and the end of its input without one when the parent has. */
const watch = 'read -r line || kill -TERM "$1" 2>/dev/null';

/**
 * Stops the child when this process exits, even when this process is killed. A shell waits for that, because
 * the child can be any program. It sleeps until then: the processes of a test run have hundreds of them.
 */
export function stopWithParent(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const watcher = spawn('sh', ['-c', watch, 'watch', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  const input = watcher.stdin as Socket;
  input.unref();
  // If somebody has ended the shell, only the child lives longer than this process.
  input.on('error', () => {});
  child.once('exit', () => input.end('exited\n'));
}
