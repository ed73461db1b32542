import { eachItem, type Page } from '@gateway/client';
import { fieldValues } from '../operations/input.ts';
import type { Row } from '../output/cell.ts';
import { defaultColumns } from '../output/columns.ts';
import { note, printRows } from '../output/print.ts';
import { type Call, endpointOf, readBody } from './call.ts';

const PAGE_SIZE = 100;

/** Prints the rows of a list. Of a list with pages the first, or all with `--all`. */
export async function runList(call: Call): Promise<void> {
  const { context, gateway, operation, options, path } = call;
  const query = await fieldValues(context, gateway, operation.query, options);
  const columns = defaultColumns(operation.noun, operation.columns ?? []);
  const read = async (more: Row = {}) =>
    readBody(await gateway.send(endpointOf(operation), { path, query: { ...query, ...more } }));
  if (!operation.isPage) {
    const rows = (await read()) as Row[];
    return printRows(context, options, { rows, response: rows, columns });
  }
  const size = { limit: query.limit ?? PAGE_SIZE };
  if (options.all) {
    const rows: Row[] = [];
    const pages = eachItem((marker) => read({ ...size, ...(marker && { marker }) }) as Promise<Page<Row>>);
    for await (const row of pages) rows.push(row);
    return printRows(context, options, { rows, response: rows, columns });
  }
  const page = (await read(size)) as Page<Row>;
  await printRows(context, options, { rows: page.items, response: page, columns });
  if (page.next_marker !== null) note(context, `There are more: --all, or --marker ${page.next_marker}`);
}
