import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

interface Ended {
  code: number | null;
  output: string;
}

/** A process that runs a service with these two functions. A timer keeps it alive, as a server would. */
class Process {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown[]>;
  #output = '';

  constructor(service: {
    start?: string;
    close?: string;
    giveUp?: string;
    reload?: string;
    shutdownTimeoutMs?: number;
  }) {
    const script = `
      import { run } from '@gateway/platform';
      const say = (line, meta) => process.stdout.write(line + ' ' + (meta?.error?.message ?? '') + '\\n');
      let waiting = setInterval(() => {}, 60_000);
      const service = {
        async start() { ${service.start ?? ''} },
        async close() { say('Closing.'); ${service.close ?? 'clearInterval(waiting);'} },
        async giveUp() { ${service.giveUp ?? ''} },
      };
      await run(service, {
        logger: { info: say, error: say },
        shutdownTimeoutMs: ${service.shutdownTimeoutMs ?? 60_000},
        reload: () => { say('Reloading.'); ${service.reload ?? ''} },
      });`;
    this.#child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    this.#ended = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  async says(line: string): Promise<this> {
    while (!this.#output.includes(line)) await once(this.#child.stdout, 'data');
    return this;
  }

  signal(signal: NodeJS.Signals): this {
    this.#child.kill(signal);
    return this;
  }

  async end(): Promise<Ended> {
    const [code] = (await this.#ended) as [number | null];
    return { code, output: this.#output };
  }
}

const STARTED = 'The service has started.';
/** Holds the process until a SIGUSR2. */
const GATE = "const gate = new Promise((go) => process.once('SIGUSR2', go));";

describe('run', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`closes the service at ${signal} and lets the process exit by itself`, async () => {
      const running = await new Process({}).says(STARTED);

      const { code, output } = await running.signal(signal).end();

      assert.equal(code, 0);
      assert.match(output, /stopping\. \nClosing\. \nThe service has stopped\./);
    });
  }

  it('reloads at SIGHUP, once the service has started, and continues', async () => {
    const running = new Process({
      // Nobody sends the signal before somebody listens to it.
      start: `${GATE} say('Starting.'); await gate; say('Up.');`,
    });

    await (await running.says('Starting.')).signal('SIGHUP').signal('SIGUSR2').says('Reloading.');
    const { code, output } = await running.signal('SIGTERM').end();

    assert.equal(code, 0);
    assert.match(output, /Up\.[\s\S]*Reloading\.[\s\S]*Closing\./);
  });

  it('continues if a reload fails', async () => {
    const running = await new Process({ reload: "throw new Error('No such file.');" }).says(STARTED);

    await running.signal('SIGHUP').says('The configuration could not be reloaded. No such file.');
    const { code } = await running.signal('SIGTERM').end();

    assert.equal(code, 0);
  });

  it('does not reload while it stops', async () => {
    const running = await new Process({
      start: `globalThis.stopped = (() => { ${GATE} return gate; })();`,
      close: 'await stopped; clearInterval(waiting);',
    }).says(STARTED);

    await running.signal('SIGTERM').says('Closing.');
    const { code, output } = await running.signal('SIGHUP').signal('SIGUSR2').end();

    assert.equal(code, 0);
    assert.doesNotMatch(output, /Reloading/);
  });

  it('waits for the start before it closes', async () => {
    const running = new Process({
      start: "say('Starting.'); await new Promise((go) => process.once('SIGUSR2', go)); say('Up.');",
    });

    await (await running.says('Starting.')).signal('SIGTERM').says('stopping.');
    const { code, output } = await running.signal('SIGUSR2').end();

    assert.equal(code, 0);
    assert.match(output, /Up\.[\s\S]*Closing\./);
  });

  it('exits at once after a second signal', async () => {
    const running = await new Process({ close: 'await new Promise(() => {});' }).says(STARTED);

    await running.signal('SIGTERM').says('Closing.');
    const { code, output } = await running.signal('SIGTERM').end();

    assert.equal(code, 1);
    assert.equal(output.match(/Closing\./g)?.length, 1);
  });

  it('exits when the shutdown times out', async () => {
    const running = await new Process({ close: 'await new Promise(() => {});', shutdownTimeoutMs: 20 }).says(
      STARTED,
    );

    const { code, output } = await running.signal('SIGTERM').end();

    assert.equal(code, 1);
    assert.match(output, /The shutdown timed out\./);
  });

  it('gives the service up before it exits because the shutdown times out', async () => {
    const running = await new Process({
      close: 'await new Promise(() => {});',
      giveUp: "await null; say('Given up.'); throw new Error('In vain.');",
      shutdownTimeoutMs: 20,
    }).says(STARTED);

    const { code, output } = await running.signal('SIGTERM').end();

    assert.equal(code, 1);
    assert.match(output, /Given up\. [\s\S]*In vain\.\n[\s\S]*The shutdown timed out\./);
  });

  it('does not wait for the timeout after closing', async () => {
    const running = await new Process({ shutdownTimeoutMs: 2_000_000 }).says(STARTED);

    assert.equal((await running.signal('SIGTERM').end()).code, 0);
  });

  it('exits with 1 if the service fails to close', async () => {
    const close = "clearInterval(waiting); throw new Error('stuck');";
    const running = await new Process({ close }).says(STARTED);

    const { code, output } = await running.signal('SIGTERM').end();

    assert.equal(code, 1);
    assert.match(output, /failed to close\. stuck/);
  });

  for (const [what, start, said] of [
    ['a failed start', "throw new Error('no store');", 'failed to start. no store'],
    ['an uncaught exception', "setTimeout(() => { throw new Error('lost'); });", 'Uncaught exception. lost'],
    ['an unhandled rejection', "Promise.reject(new Error('lost'));", 'Unhandled promise rejection. lost'],
  ] as const) {
    it(`exits with 1 after ${what}`, async () => {
      const { code, output } = await new Process({ start }).end();

      assert.equal(code, 1);
      assert(output.includes(said), output);
    });
  }
});
