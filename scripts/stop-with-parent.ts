import { type ChildProcess, spawn } from 'node:child_process';

/** Until the parent or the child is gone; a parent that went first takes the child along. */
const watch = `
while kill -0 "$1" 2>/dev/null; do
  kill -0 "$2" 2>/dev/null || exit 0
  sleep 2
done
kill -TERM "$2" 2>/dev/null
`;

/**
 * Ends the child soon after this process, also when this process is killed and can do nothing about it. A
 * watching shell does it, since the child may be a program that is not ours.
 */
export function stopWithParent(child: ChildProcess): void {
  if (child.pid === undefined) return;
  spawn('sh', ['-c', watch, 'watch', String(process.pid), String(child.pid)], {
    detached: true,
    stdio: 'ignore',
  }).unref();
}
