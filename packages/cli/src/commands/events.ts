import type { Reset, ResourceChange, WatchedType } from '@gateway/client';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { cell } from '../output/cell.ts';
import { print, warn } from '../output/print.ts';
import { printableJson } from '../output/printable.ts';
import { type SessionOptions, withGateway } from '../session/open-session.ts';
import { withUrl } from './options.ts';

interface EventsOptions extends SessionOptions {
  type?: WatchedType[];
  output: 'text' | 'json';
  after?: string;
}

/** `events`, until Ctrl-C. */
export function addEventsCommand(program: Command, context: Context): void {
  const collect = (text: string, previous: string[] = []) => [...previous, text];
  withUrl(program.command('events'))
    .description('print what changes in the project, a line each')
    .option('--type <type>', 'only this type, such as instance or volume; may be repeated', collect)
    .option('--after <event>', 'continue after this event, of an earlier command')
    .addOption(
      new Option('-o, --output <format>', 'text or lines of JSON').choices(['text', 'json']).default('text'),
    )
    .action((options: EventsOptions) => printEvents(context, options));
}

async function printEvents(context: Context, options: EventsOptions): Promise<void> {
  await withGateway(context, options, async (gateway) => {
    const changes = gateway.watch({
      types: options.type,
      lastEventId: options.after,
      signal: context.signal,
      onReconnect: ({ delayMs }) =>
        warn(context, `The connection is lost; the next attempt is in ${Math.ceil(delayMs / 1000)} s`),
    });
    let isFirst = true;
    for await (const change of changes) {
      if (options.output === 'json') print(context, [printableJson(change)]);
      else if (change.change !== 'reset') print(context, [lineOf(change)]);
      else if (!isFirst || options.after !== undefined) reportReset(context, change);
      isFirst = false;
    }
  });
}

/** Such as `updated instance <id> SHUTOFF`. */
function lineOf(change: ResourceChange): string {
  return ['change', 'type', 'id', 'state']
    .map((field) => cell({ ...change }, field))
    .join(' ')
    .trimEnd();
}

function reportReset(context: Context, { types }: Reset): void {
  warn(context, `Events may be missing: list these again: ${types.join(', ')}`);
}
