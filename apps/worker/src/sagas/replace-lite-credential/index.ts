import type { Step } from '../../saga/index.ts';
import type { ReplaceLiteCredentialContext, ReplaceLiteCredentialState } from './saga.ts';
import { createNextCredential } from './steps/credential.ts';
import { planReplacement } from './steps/plan.ts';
import { recordReplacement } from './steps/record.ts';
import { removeReplaced } from './steps/remove-replaced.ts';
import { restartPlugins } from './steps/restart-plugins.ts';
import { writeCredential } from './steps/write-credential.ts';

/** The replacement of the plugins' credential: the old one works until the programs have the new one. */
export const replaceLiteCredentialSteps: readonly Step<
  ReplaceLiteCredentialContext,
  ReplaceLiteCredentialState
>[] = [
  planReplacement,
  createNextCredential,
  writeCredential,
  restartPlugins,
  recordReplacement,
  removeReplaced,
];
