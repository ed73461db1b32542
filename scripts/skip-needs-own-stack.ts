import type { Hook, Runnable, Runner, Suite } from 'mocha';
import { NeedsOwnStackError } from './running-stack.ts';

/** Skips what a running gateway cannot serve, and prints the reason. */
export function skipWhatNeedsOwnStack(runner: Runner): void {
  const wrapped = new WeakSet<Runnable>();
  const skipped = new WeakSet<Suite>();

  function wrap(runnable: Runnable): void {
    const { fn, parent } = runnable as Runnable & { fn?: (this: Mocha.Context) => unknown };
    if (fn === undefined || parent === undefined || wrapped.has(runnable)) return;
    wrapped.add(runnable);
    runnable.fn = async function (this: Mocha.Context) {
      try {
        await fn.call(this);
      } catch (error) {
        // The set-up of a skipped suite is incomplete, so that its removal may fail.
        if (skipped.has(parent) && runnable.title.startsWith('"after')) return;
        if (!(error instanceof NeedsOwnStackError)) throw error;
        skipped.add(parent);
        process.stderr.write(`      NOT CHECKED by ${parent.fullTitle()}: ${error.message}\n`);
        this.skip();
      }
    };
  }

  runner.on('hook', (hook: Hook) => wrap(hook));
  runner.on('test', wrap);
}
