import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface Message {
  id?: number;
  method?: string;
  params?: {
    request?: { url: string; method: string };
    requestId?: string;
    headers?: Record<string, string>;
    response?: { url: string };
    entry?: { source: string; level: string; text: string };
    exceptionDetails?: { text: string; exception?: { description?: string } };
  };
  result?: unknown;
  error?: { message: string };
}

/** One page of a headless Chromium, controlled through the DevTools protocol. */
export class ChromiumPage {
  /** The requests that the page has sent, as `GET https://...`. */
  readonly requests: string[] = [];
  /** The headers and bodies of all responses that the page has received, in no particular order. */
  readonly received: string[] = [];
  /** Exceptions that no script has caught, and what the browser has refused for reasons of security. */
  readonly problems: string[] = [];
  readonly #urls = new Map<string, string>();
  /** Bodies that are being read from the browser. */
  readonly #reads = new Set<Promise<void>>();
  readonly #browser: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  private constructor(browser: ChildProcess, profile: string, socket: WebSocket) {
    this.#browser = browser;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The browser has ended.'));
    });
  }

  static async open(chromium: string, url: string): Promise<ChromiumPage> {
    const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
    const browser = spawn(chromium, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const endpoint = await debuggingEndpoint(browser);
      const targets = await fetch(`http://${endpoint.host}/json/list`);
      const [page] = (await targets.json()) as { type: string; webSocketDebuggerUrl: string }[];
      const socket = new WebSocket(page?.webSocketDebuggerUrl ?? endpoint.href);
      await once(socket, 'open');
      const opened = new ChromiumPage(browser, profile, socket);
      await opened.#load(url);
      return opened;
    } catch (error) {
      browser.kill('SIGKILL');
      rmSync(profile, { recursive: true, force: true });
      throw error;
    }
  }

  /** Opens another tab of the browser, which ends with it. */
  async openTab(url: string): Promise<ChromiumPage> {
    const created = await fetch(`http://${new URL(this.#socket.url).host}/json/new?about:blank`, {
      method: 'PUT',
    });
    const { webSocketDebuggerUrl } = (await created.json()) as { webSocketDebuggerUrl: string };
    const socket = new WebSocket(webSocketDebuggerUrl);
    await once(socket, 'open');
    const tab = new ChromiumPage(this.#browser, this.#profile, socket);
    await tab.#load(url);
    return tab;
  }

  /** The value of an expression in the page, or of its promise. @throws what the expression throws */
  async evaluate<T>(expression: string): Promise<T> {
    const { exceptionDetails, result } = await this.#send<{
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails === undefined) return result.value;
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }

  /** The whole page as a PNG. */
  async screenshot(): Promise<Buffer> {
    const { cssContentSize } = await this.#send<{ cssContentSize: object }>('Page.getLayoutMetrics');
    const { data } = await this.#send<{ data: string }>('Page.captureScreenshot', {
      captureBeyondViewport: true,
      clip: { ...cssContentSize, scale: 1 },
    });
    return Buffer.from(data, 'base64');
  }

  /** Loads another page, and waits until it is there. */
  async load(url: string): Promise<void> {
    await this.#load(url);
  }

  /** Sets the size of the window, in pixels. */
  async resize(width: number, height: number): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.#send('Emulation.setDeviceMetricsOverride', metrics);
    // A picture of the whole page has no scroll bars, and would lack their width.
    await this.#send('Emulation.setScrollbarsHidden', { hidden: true });
  }

  /** What the page learns of the system's colours. */
  async preferColors(scheme: 'light' | 'dark'): Promise<void> {
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.#send('Emulation.setEmulatedMedia', { features });
  }

  /** Waits until the bodies of the responses so far are in `received`. */
  async settleReceived(): Promise<void> {
    while (this.#reads.size > 0) await Promise.all(this.#reads);
  }

  async close(): Promise<void> {
    const exited = once(this.#browser, 'exit');
    this.#socket.close();
    this.#browser.kill('SIGTERM');
    await exited;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  async #load(url: string): Promise<void> {
    await this.#send('Page.enable');
    await this.#send('Network.enable');
    await this.#send('Runtime.enable');
    await this.#send('Log.enable');
    const loaded = new Promise<void>((resolve) => {
      const listen = ({ data }: MessageEvent): void => {
        if ((JSON.parse(String(data)) as Message).method !== 'Page.loadEventFired') return;
        this.#socket.removeEventListener('message', listen);
        resolve();
      };
      this.#socket.addEventListener('message', listen);
    });
    await this.#send('Page.navigate', { url });
    await loaded;
  }

  #send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answer.promise as Promise<T>;
  }

  #receive({ error, id, method, params, result }: Message): void {
    if (method === 'Network.requestWillBeSent' && params?.request !== undefined) {
      this.requests.push(`${params.request.method} ${params.request.url}`);
    }
    this.#record(method, params);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error.message));
  }

  #record(method: string | undefined, params: Message['params'] = {}): void {
    const { entry, exceptionDetails, headers, requestId = '', response } = params;
    if (exceptionDetails !== undefined && method === 'Runtime.exceptionThrown')
      this.problems.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    if (entry?.source === 'security') this.problems.push(entry.text);
    if (method === 'Network.responseReceivedExtraInfo') this.received.push(JSON.stringify(headers));
    if (method === 'Network.responseReceived') this.#urls.set(requestId, response?.url ?? '');
    if (method !== 'Network.loadingFinished') return;
    const read = this.#send<{ body: string; base64Encoded: boolean }>('Network.getResponseBody', {
      requestId,
    })
      .then(({ base64Encoded, body }) => {
        const text = base64Encoded ? Buffer.from(body, 'base64').toString('latin1') : body;
        this.received.push(`${this.#urls.get(requestId)}\n${text}`);
      })
      // The page was left before.
      .catch((error: unknown) => {
        this.received.push(`${this.#urls.get(requestId)}\nNOT READ: ${error}`);
      })
      .finally(() => this.#reads.delete(read));
    this.#reads.add(read);
  }
}

/** The address that Chromium prints when it is ready. @throws if it exits first */
async function debuggingEndpoint(browser: ChildProcess): Promise<URL> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: browser.stderr as NodeJS.ReadableStream })) {
    const [, url] = /^DevTools listening on (ws:\S+)$/.exec(line) ?? [];
    if (url !== undefined) {
      browser.stderr?.resume();
      return new URL(url);
    }
    lines.push(line);
  }
  throw new Error(`Chromium did not start: ${lines.join('\n')}`);
}
