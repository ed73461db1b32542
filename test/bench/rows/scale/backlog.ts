import type { Row } from '../../row.ts';
import { history } from './history.ts';
import { waitingJobs } from './waiting-jobs.ts';

/** What many waiting jobs and a long history cost. */
export async function backlog(): Promise<Row[]> {
  return [...(await waitingJobs()), ...(await history())];
}
