import type { Stack } from '../../../scripts/stack.ts';
import { GatewayClient } from '../../support/clients/gateway-client.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import type { Row } from '../row.ts';

const READERS = 200;

/** The number of upstream calls when many clients read an uncached list at once, on two api processes. */
export async function coldReaders(stack: Stack): Promise<Row> {
  const control = `${stack.cloudsim?.url}/_control`;
  // A project without cached lists.
  const gateway = await GatewayClient.logIn(stack.url, { ...testLogin('demo'), projectName: 'demo2' });
  await fetch(`${control}/calls`, { method: 'DELETE' });

  await Promise.all(
    Array.from({ length: READERS }, (_, reader) =>
      gateway.at(stack.apis[reader % stack.apis.length]?.url ?? '').read('/api/images'),
    ),
  );

  const response = await fetch(`${control}/calls?service=image`);
  const { calls } = (await response.json()) as { calls: unknown[] };
  return {
    name: `${READERS} cold readers of one list, ${stack.apis.length} apis`,
    unit: 'upstream calls',
    gateway: calls.length,
    floor: null,
    result: calls.length,
    resultUnit: '',
    budget: '1',
    met: calls.length === 1,
  };
}
