/** Thrown when a later run has claimed the job: the earlier run must stop and change nothing more. */
export class SupersededError extends Error {
  constructor(jobId: string) {
    super(`Job ${jobId} was taken over by another worker.`);
    this.name = 'SupersededError';
  }
}

/** Thrown when a job is about to complete or to commit, but its cancellation was requested before. */
export class CancelRequestedError extends Error {
  constructor(jobId: string) {
    super(`Job ${jobId} is to be cancelled.`);
    this.name = 'CancelRequestedError';
  }
}

/** Thrown when the record of a running job is gone: further writes are not kept. */
export class RecordGoneError extends Error {
  constructor(jobId: string) {
    super(`The record of job ${jobId} is gone.`);
    this.name = 'RecordGoneError';
  }
}
