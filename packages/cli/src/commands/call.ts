import type { GatewayClient } from '@gateway/client';
import type { Operation } from '../catalog/operation.ts';
import type { Context } from '../context.ts';
import type { CommandOptions } from './options.ts';

/** A command of an endpoint, with the parameters of its path. */
export interface Call {
  context: Context;
  gateway: GatewayClient;
  operation: Operation;
  options: CommandOptions;
  path: Record<string, string>;
}

/** The endpoint as the client takes it. */
export function endpointOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** JSON, a text, or undefined for no body. */
export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
}
