import { writeFileSync } from 'node:fs';
import { errorsPage } from './page.ts';

/** Writes `docs/errors.md`, which follows from the declared codes and reasons. */
writeFileSync(errorsPage.path, errorsPage.text);
