import { writeFileSync } from 'node:fs';
import { generatedFiles } from './files.ts';

/** Writes `docs/settings.md` and `config.example.yaml`, which follow from the declared settings. */
for (const { path, text } of generatedFiles()) writeFileSync(path, text);
