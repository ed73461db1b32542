/** A process's work as a value; what starts also closes. */
export interface Service {
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The part of a logger that is needed here. */
export interface RunLogger {
  info(message: string, meta?: Record<string, unknown>): void;
  error(message: string, meta?: Record<string, unknown>): void;
}

export interface RunOptions {
  logger: RunLogger;
  /** Longest time that closing may take. */
  deadlineMs: number;
}

/**
 * Starts the service; closes it once at SIGTERM or SIGINT and lets the process end by itself. A second
 * signal, or a close that takes longer than the deadline, ends the process with 1 at once. So does an error
 * that nobody caught, or a start that fails, so that a supervisor starts the process anew.
 */
export async function run(service: Service, { logger, deadlineMs }: RunOptions): Promise<void> {
  let starting: Promise<void> | undefined;
  let stopping = false;

  process.on('uncaughtException', (error) => stopAtOnce('An error was not caught.', { error }));
  process.on('unhandledRejection', (error) => stopAtOnce('A rejection was not handled.', { error }));
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);

  starting = service.start();
  try {
    await starting;
  } catch (error) {
    stopAtOnce('The service could not start.', { error });
    return;
  }
  logger.info('The service has started.');

  function onSignal(signal: NodeJS.Signals): void {
    if (stopping) {
      stopAtOnce('The service was told twice to stop.', { signal });
      return;
    }
    stopping = true;
    logger.info('The service is stopping.', { signal });
    setTimeout(() => {
      stopAtOnce('Closing took too long.', { deadline_ms: deadlineMs });
    }, deadlineMs).unref();
    void close();
  }

  async function close(): Promise<void> {
    try {
      // What is half open can not be closed; a start that fails is told of above.
      await starting;
    } catch {
      return;
    }
    try {
      await service.close();
      logger.info('The service has stopped.');
    } catch (error) {
      process.exitCode = 1;
      logger.error('The service could not close in order.', { error });
    }
  }

  function stopAtOnce(message: string, meta: Record<string, unknown>): void {
    process.exitCode = 1;
    logger.error(message, meta);
    // After a turn of the event loop, in which the logger writes the line.
    setImmediate(() => setImmediate(() => process.exit(1)));
  }
}
