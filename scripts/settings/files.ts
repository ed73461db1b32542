import { join } from 'node:path';
import { projectRoot } from '../server-process.ts';
import { exampleFile } from './example.ts';
import { settingsReference } from './reference.ts';

export function generatedFiles(): { path: string; text: string }[] {
  return [
    { path: join(projectRoot, 'docs/settings.md'), text: settingsReference() },
    { path: join(projectRoot, 'config.example.yaml'), text: exampleFile() },
  ];
}
