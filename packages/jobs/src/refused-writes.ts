/** Thrown when a later run has taken the job over: the earlier one must stop and touch nothing. */
export class SupersededError extends Error {
  constructor(jobId: string) {
    super(`Job ${jobId} was taken over by another worker.`);
    this.name = 'SupersededError';
  }
}

/** Thrown when a job was to end well, or to go where there is no way back, and somebody has asked before to cancel it. */
export class CancelRequestedError extends Error {
  constructor(jobId: string) {
    super(`Job ${jobId} is to be cancelled.`);
    this.name = 'CancelRequestedError';
  }
}

/** Thrown when the record of a job that runs has vanished: nothing that is still written of it is kept. */
export class RecordGoneError extends Error {
  constructor(jobId: string) {
    super(`The record of job ${jobId} is gone.`);
    this.name = 'RecordGoneError';
  }
}
