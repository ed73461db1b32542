import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { installPacked, type PackedProject } from './packed-project.ts';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  env?: Record<string, string>;
  /** The standard input. */
  input?: string;
  /** Called with what arrives on `stderr`. */
  onNote?: (chunk: string) => void;
  /** Called with what arrives on `stdout`; `interrupt` is a Ctrl-C. */
  onOutput?: (chunk: string, interrupt: () => void) => void;
}

/** The packed command line in an empty folder, with a home folder of its own. */
export class PackedCli {
  readonly folder: string;
  readonly configFolder: string;
  readonly #project: PackedProject;
  readonly #home: string;

  private constructor(project: PackedProject) {
    this.#project = project;
    this.folder = project.folder;
    this.#home = join(project.folder, 'home');
    this.configFolder = join(this.#home, '.config', 'gateway');
    mkdirSync(this.#home);
  }

  static async install(): Promise<PackedCli> {
    const project = await installPacked('@gateway/cli');
    const cli = new PackedCli(project);
    if (existsSync(cli.program)) return cli;
    project.remove();
    throw new Error('The package has not installed the program.');
  }

  get program(): string {
    return join(this.folder, 'node_modules/.bin/gateway');
  }

  /** Runs a command with nothing of the environment of the tests but the path. */
  async run(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    const child = this.#start(args, options);
    const exited = once(child, 'exit');
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => options.onNote?.(chunk));
    child.stdout
      .setEncoding('utf8')
      .on('data', (chunk: string) => options.onOutput?.(chunk, () => child.kill('SIGINT')));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await exited) as [number | null];
    return { code, stdout, stderr };
  }

  #start(args: readonly string[], { env = {}, input = '' }: CommandOptions) {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [this.program, ...args], {
      cwd: this.folder,
      env: { PATH, HOME: this.#home, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
    return child satisfies ChildProcess;
  }

  remove(): void {
    this.#project.remove();
  }
}
