import { fieldValues } from '../operations/input.ts';
import { printRecord } from '../output/print.ts';
import { type Call, endpointOf, readBody } from './call.ts';

/** Prints one resource. */
export async function runShow(call: Call): Promise<void> {
  const { context, gateway, operation, options, path } = call;
  const query = await fieldValues(context, gateway, operation.query, options);
  const response = await gateway.send(endpointOf(operation), { path, query });
  await printRecord(context, options, await readBody(response));
}
