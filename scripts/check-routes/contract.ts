import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The part of JSON Schema that the contract uses. */
export interface ContractSchema {
  type?: string[];
  enum?: unknown[];
  items?: ContractSchema;
  properties?: Record<string, ContractSchema>;
  required?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** The contract's statements about one endpoint. Fields without a statement are absent. */
export interface ContractEndpoint {
  /** `GET /api/volumes/{volume_id}` */
  endpoint: string;
  /** Groups endpoints. */
  area: string;
  /** Whether it requires a token. */
  token?: boolean;
  /** The switch of its optional service. */
  service?: string;
  query?: Record<string, ContractField>;
  body?: Record<string, ContractField>;
  /** Status of a success. */
  status?: number;
  errors?: number[];
  /** Without a response body. */
  empty?: boolean;
  stream?: boolean;
  response?: ContractSchema;
}

export interface ContractField extends ContractSchema {
  isRequired?: boolean;
}

/** The copy of the contract's endpoints, made by `main.ts --update`. */
export const CONTRACT_FILE = join(import.meta.dirname, '../../test/contract/endpoints.yaml');

export function readContract(): ContractEndpoint[] {
  return parse(readFileSync(CONTRACT_FILE, 'utf8')) as ContractEndpoint[];
}
