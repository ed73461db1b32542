import type { GatewayError } from '@gateway/core';
import {
  type BuilderManifest,
  type BuilderReport,
  pinnedPackages,
  reportedPackages,
} from '@gateway/libraries';
import { machineFailure, reportedReason } from '../../library-machines/machine-failure.ts';
import { reportStep } from '../../library-machines/report-step.ts';
import { announce, type BuildLibraryContext, type BuildLibraryState, type BuiltLibrary } from '../saga.ts';

const MACHINE = 'the builder';

const STAGES = {
  share: { progress: 38, message: 'The builder mounts the share.' },
  commands: { progress: 42, message: 'The builder runs the commands of the catalogue.' },
  packages: { progress: 50, message: 'The builder installs the packages.' },
  manifest: { progress: 80, message: 'The builder records the contents of the share.' },
  done: { progress: 85, message: 'The library is installed.' },
};

/** Waits, parked, until the builder has reported success and powered off. */
export const installLibrary = reportStep<BuilderReport, BuildLibraryContext, BuildLibraryState, BuiltLibrary>(
  {
    name: 'install',
    beginUpdate: announce('LIBRARY_INSTALLING', 'The builder is starting.'),
    key: 'built',
    machine: MACHINE,
    stages: STAGES,
    resultOf: builtLibrary,
    failure: (reason, isTimeout) => failed(reason, isTimeout ? 'build_timeout' : 'build_failed'),
  },
);

/** @throws if the builder failed, built another library or version, or its packages cannot be recorded */
function builtLibrary({ input }: BuildLibraryContext, report: BuilderReport): BuiltLibrary {
  if (report.success !== true) {
    throw failed(reportedReason(MACHINE, report), 'build_failed');
  }
  const { manifest } = report;
  if (manifest?.library !== input.libraryId || manifest.version !== input.version) {
    throw failed('the builder reports another library or version', 'build_failed');
  }
  return { checksum: manifest.checksum, packages: checkedPackages(manifest) };
}

function checkedPackages({ packages = [] }: BuilderManifest): string[] {
  try {
    return pinnedPackages(reportedPackages(packages));
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error), 'build_failed');
  }
}

function failed(reason: string, code: 'build_failed' | 'build_timeout'): GatewayError {
  return machineFailure('built', reason, code);
}
