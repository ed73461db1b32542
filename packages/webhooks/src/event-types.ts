/** What webhooks learn of, by the name in the body and in the settings of a webhook. */
export const eventTypes = {
  'job.completed': 'A job has completed.',
  'job.failed': 'A job has failed.',
  'job.cancelled': 'A job was cancelled.',
  'job.held': 'No worker runs the job until an administrator releases or cancels it.',
  'job.leftovers': 'A job has ended and could not remove something that it had created.',
  'auto_backup.failed': 'A run of an auto backup has failed.',
  'lite_cluster.certificate_expiring':
    'A certificate in the configuration file of a lite cluster ends within 14 days and was not renewed.',
  'quota.nearly_full': 'The use of a quota of a project has reached 80 % of its limit.',
  'webhook.test': 'Somebody tries the webhook. It is sent whatever the webhook has chosen.',
} as const;

export type EventType = keyof typeof eventTypes;

/** What a webhook can choose: a test is always sent. */
export type ChosenType = Exclude<EventType, 'webhook.test'>;

export const chosenTypes = (Object.keys(eventTypes) as EventType[]).filter(
  (type): type is ChosenType => type !== 'webhook.test',
);
