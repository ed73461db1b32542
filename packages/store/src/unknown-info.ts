import { Redis } from 'ioredis';

type Done = (error: Error | null, info?: object) => void;

/** The private part of a connection that is replaced. */
interface ReadyCheck {
  _readyCheck(done: Done): void;
}

/**
 * Makes connections ready whose server does not know `INFO`, as one where it is renamed. ioredis asks with it
 * whether a server has loaded its data, and does without an answer only if the user may not send it. After
 * another refusal it would connect again without end.
 */
export function skipUnknownInfo(): void {
  const prototype = Redis.prototype as unknown as ReadyCheck;
  const { _readyCheck: check } = prototype;
  prototype._readyCheck = function (done) {
    check.call(this, (error, info) => {
      if (error?.message.startsWith('ERR unknown command')) done(null, {});
      else done(error, info);
    });
  };
}
