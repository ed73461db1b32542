import type { Step } from '../../saga/index.ts';
import type { VerifyLibraryContext, VerifyLibraryState } from './saga.ts';
import { createBootVolume } from './steps/boot-volume.ts';
import { importPackages } from './steps/imports.ts';
import { planVerification } from './steps/plan.ts';
import { createPort } from './steps/port.ts';
import { removeVerifier } from './steps/remove-verifier.ts';
import { createServer } from './steps/server.ts';
import { grantShareAccess } from './steps/share-access.ts';
import { createUpperVolume } from './steps/upper-volume.ts';

/** The verification of a library's prebuilt share. Everything that it creates is removed at its end. */
export const verifyLibrarySteps: readonly Step<VerifyLibraryContext, VerifyLibraryState>[] = [
  planVerification,
  createPort,
  grantShareAccess,
  createBootVolume,
  createUpperVolume,
  createServer,
  importPackages,
  removeVerifier,
];
