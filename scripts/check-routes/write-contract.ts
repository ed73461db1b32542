import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Document, visit } from 'yaml';
import { CONTRACT_FILE, type ContractEndpoint } from './contract.ts';

const MAX_INLINE_LENGTH = 100;

/** Writes the copy, with each small object and list on one line. */
export function writeContract(contract: readonly ContractEndpoint[]): void {
  const document = new Document(contract, { aliasDuplicateObjects: false });
  document.commentBefore = ' Made by scripts/check-routes/main.ts --update. Do not edit.';
  visit(document, {
    Collection(_key, node) {
      if (node !== document.contents) node.flow = JSON.stringify(node).length <= MAX_INLINE_LENGTH;
    },
  });
  mkdirSync(dirname(CONTRACT_FILE), { recursive: true });
  writeFileSync(CONTRACT_FILE, document.toString({ lineWidth: 0, flowCollectionPadding: false }));
}
