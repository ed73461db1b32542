import type { GatewayClient } from '../clients/gateway-client.ts';
import { eventually } from '../eventually.ts';

/** A library build in the admin API. */
export interface Build {
  library_id: string;
  library: string;
  version: string;
  file_storage_id: string | null;
  server_id: string | null;
  status: 'building' | 'ready' | 'error' | 'timeout';
  progress: number;
  message: string;
  log_tail: string | null;
  job_id: string;
  verification: Verification | null;
}

interface Verification {
  status: 'running' | 'passed' | 'failed' | 'error';
  message: string;
  checked_at: string | null;
  packages: { name: string; version: string | null; imported: boolean; error: string | null }[];
  job_id: string;
}

interface StartedBuild {
  file_storage_id: string | null;
  status: string;
  library: string;
  job_id: string;
}

export function startBuild(admin: GatewayClient, libraryId: string) {
  return admin.request<StartedBuild>('POST', `/api/admin/file-storage/build?library_id=${libraryId}`);
}

export async function buildOf(admin: GatewayClient, jobId: string): Promise<Build> {
  const builds = await admin.read<Build[]>('/api/admin/file-storage/builds');
  const found = builds.find(({ job_id }) => job_id === jobId);
  if (found === undefined) throw new Error(`The builds do not name the job ${jobId}.`);
  return found;
}

/** Waits for the end of the build. */
export function endedBuild(admin: GatewayClient, jobId: string, timeoutMs?: number): Promise<Build> {
  return eventually(async () => {
    const build = await buildOf(admin, jobId);
    return build.status === 'building' ? undefined : build;
  }, timeoutMs);
}
