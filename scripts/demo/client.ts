import {
  GatewayClient,
  hasFailed,
  type JobEvent,
  type JobEvents,
  type JobMessage,
} from '../../packages/client/src/index.ts';
import type { Login } from '../try-it.ts';

export type Print = (line: string) => void;

/** A session for demonstrations. */
interface Demo {
  gateway: GatewayClient;
  projectName: string;
}

export async function logIn(url: string, login: Login, print: Print): Promise<Demo> {
  print(`Logging in as ${login.username}`);
  const gateway = new GatewayClient({ url });
  const { project_name: projectName } = await gateway.logIn({ ...login });
  return { gateway, projectName };
}

/** Prints each message of a job, and returns the last one. @throws when the job fails */
export async function printProgress<Message extends JobMessage>(
  events: JobEvents<Message>,
  print: Print,
): Promise<JobEvent<Message>> {
  let last: JobEvent<Message> | undefined;
  for await (const event of events) {
    print(progressLine(event));
    last = event;
  }
  if (last === undefined || hasFailed(last)) throw new Error(`the creation failed: ${last?.error}`);
  return last;
}

/** Prints a request and the fields of its response. */
export function printRecord(request: string, record: object, print: Print): void {
  print(`\n${request}`);
  for (const line of describe(record)) print(line);
}

const barWidth = 30;

function progressLine({ step, progress, message, error }: JobMessage): string {
  const filled = Math.round((progress / 100) * barWidth);
  const bar = '#'.repeat(filled).padEnd(barWidth, '.');
  return `[${bar}] ${String(progress).padStart(3)} %  ${step.padEnd(22)} ${error ?? message}`;
}

function describe(record: object): string[] {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record).map(([name, value]) => `  ${name.padEnd(width)}  ${spell(value)}`);
}

function spell(value: unknown): string {
  if (value === null || value === '') return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
