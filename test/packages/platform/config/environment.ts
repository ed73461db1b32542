import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@gateway/platform';

/** The required variables only. */
export function minimalEnvironment(further: Environment = {}): Environment {
  return {
    OS_AUTH_URL: 'http://127.0.0.1:5000/v3',
    GATEWAY_SEALING_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    ...further,
  };
}

/** Runs `use` with `GATEWAY_CONFIG` set to a file with this text. */
export function withFile<Result>(text: string, use: (environment: Environment) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-config-'));
  try {
    const path = join(folder, 'gateway.yaml');
    writeFileSync(path, text);
    return use(minimalEnvironment({ GATEWAY_CONFIG: path }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
