import { type ChildProcess, spawn } from 'node:child_process';

/** Waits until the parent or the child exits. When the parent exits first, stops the child. */
const watch = `
while kill -0 "$1" 2>/dev/null; do
  kill -0 "$2" 2>/dev/null || exit 0
  sleep 2
done
kill -TERM "$2" 2>/dev/null
`;

/**
 * Stops the child soon after this process exits, even when this process is killed. A shell watches both
 * processes, because the child can be any program.
 */
export function stopWithParent(child: ChildProcess): void {
  if (child.pid === undefined) return;
  spawn('sh', ['-c', watch, 'watch', String(process.pid), String(child.pid)], {
    detached: true,
    stdio: 'ignore',
  }).unref();
}
