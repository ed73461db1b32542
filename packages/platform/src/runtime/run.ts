import { collectGarbage } from '@gateway/core';

/** The service that a process runs. */
export interface Service {
  start(): Promise<void>;
  close(): Promise<void>;
  /** Called right before the process exits although `close` has not ended. Takes a second at most. */
  giveUp?(): Promise<void>;
}

/** The part of a logger that `run` needs. */
interface RunLogger {
  info(message: string, meta?: Record<string, unknown>): void;
  error(message: string, meta?: Record<string, unknown>): void;
}

interface RunOptions {
  logger: RunLogger;
  /** Maximum time to close the service after a signal. */
  shutdownTimeoutMs: number;
  /** Called after a SIGHUP, once the service has started and until it stops. */
  reload(): void;
}

/**
 * Starts the service, and closes it after SIGTERM or SIGINT. The process then exits by itself. Exits with 1
 * at once after a second signal, a shutdown timeout, a failed start, or an uncaught error, so that a
 * supervisor restarts the process. An error may have another `exitCode`. A SIGHUP reloads the configuration.
 */
export async function run(
  service: Service,
  { logger, reload, shutdownTimeoutMs }: RunOptions,
): Promise<void> {
  let starting: Promise<void> | undefined;
  let stopping = false;

  process.on('uncaughtException', (error) => exitAtOnce('Uncaught exception.', { error }));
  process.on('unhandledRejection', (error) => exitAtOnce('Unhandled promise rejection.', { error }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  process.on('SIGHUP', () => void onHangUp());

  starting = start();
  try {
    await starting;
  } catch (error) {
    exitAtOnce('The service failed to start.', { error });
    return;
  }
  logger.info('The service has started.');

  /** First collects the garbage of the startup, while no requests are waiting. */
  async function start(): Promise<void> {
    await collectGarbage();
    await service.start();
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (stopping) {
      exitAtOnce('Received a second stop signal.', { signal });
      return;
    }
    stopping = true;
    logger.info('The service is stopping.', { signal });
    setTimeout(() => void giveUp(), shutdownTimeoutMs).unref();
    void close();
  }

  async function giveUp(): Promise<void> {
    try {
      await service.giveUp?.();
    } catch (error) {
      logger.error('The service could not be given up.', { error });
    }
    exitAtOnce('The shutdown timed out.', { timeout_ms: shutdownTimeoutMs });
  }

  /** Supervisors send a SIGHUP along with another signal, so it means nothing to a process that stops. */
  async function onHangUp(): Promise<void> {
    try {
      await starting;
    } catch {
      return;
    }
    if (stopping) return;
    try {
      reload();
    } catch (error) {
      logger.error('The configuration could not be reloaded.', { error });
    }
  }

  async function close(): Promise<void> {
    try {
      // A service that is still starting cannot be closed. A failed start is logged above.
      await starting;
    } catch {
      return;
    }
    try {
      await service.close();
      logger.info('The service has stopped.');
    } catch (error) {
      process.exitCode = 1;
      logger.error('The service failed to close.', { error });
    }
  }

  function exitAtOnce(message: string, meta: Record<string, unknown>): void {
    const code = exitCodeOf(meta.error);
    process.exitCode = code;
    logger.error(message, meta);
    // The logger writes the line in the next event loop iteration.
    setImmediate(() => setImmediate(() => process.exit(code)));
  }
}

function exitCodeOf(error: unknown): number {
  const { exitCode = 1 } = error instanceof Error ? (error as Error & { exitCode?: number }) : {};
  return exitCode;
}
