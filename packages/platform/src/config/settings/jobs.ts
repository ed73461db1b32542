import Joi from 'joi';
import {
  choice,
  integer,
  list,
  optional,
  RELOADS,
  seconds,
  section,
  timerSeconds,
  variable,
} from './kinds.ts';

const QUEUES = ['provisioning', 'cleanup', 'maintenance'] as const;
export type QueueName = (typeof QUEUES)[number];

const slots = (defaultValue: number) => integer(defaultValue, 1, 1000);

export const jobsSettings = section({
  queues: list(choice(...QUEUES))
    .min(1)
    .unique()
    .default([...QUEUES])
    .description('The queues whose jobs a worker runs.')
    .meta(variable('WORKER_QUEUES')),
  concurrency: section({
    provisioning: slots(10).description('Creations.'),
    cleanup: slots(10).description('Deletions.'),
    maintenance: slots(5).description('Recurring work.'),
  }).description(
    'Jobs that one worker process runs concurrently, by queue (its slots). With 1 and a single ' +
      'worker, projects alternate.',
  ),
  keep_seconds: seconds(86_400, 60).description(
    'How long the record and events of a job are stored after its end.',
  ),
  poll_interval_ms: integer(1000, 50, 60_000)
    .unit('milliseconds')
    .description(
      'Polling interval for a resource in transition. The first polls follow each other after a part of ' +
        'this interval, later polls after up to ten times the interval, depending on the kind of ' +
        'resource.',
    ),
  lock_seconds: timerSeconds(10, 2).description(
    "Lifetime of a worker's lock on each of its jobs. When the locks of a dead worker have expired, " +
      'other workers take over its jobs, at most a third of this time later.',
  ),
  max_failed_runs: integer(10, 1, 1000).description(
    'Maximum runs of one job that fail through internal errors of the gateway. After that the job is ' +
      'rolled back.',
  ),
  max_lost_runs: integer(5, 0).description(
    'Maximum runs of one job in a row that are lost with their workers, without progress in between. ' +
      'After that the job is held: no worker runs it until an administrator releases or cancels it. 0 ' +
      'for no limit.',
  ),
  project_running_limit: optional(Joi.number().integer().min(0))
    .meta(RELOADS)
    .description(
      'Maximum running jobs of one project per queue; further jobs wait, and jobs of other projects ' +
        'start first. 0 for no limit: one project may then occupy all slots. Null for one less than ' +
        '`concurrency`, which leaves a slot to other projects even with a single worker. With several ' +
        'workers, choose a limit below the sum of their slots.',
    ),
  project_waiting_limit: integer(100, 0)
    .meta(RELOADS)
    .description(
      'Maximum waiting jobs of one project per queue; further creations fail with 429. 0 for no limit.',
    ),
  project_unsuccessful_limit: integer(1000, 0)
    .meta(RELOADS)
    .description(
      'Maximum stored jobs of one project that failed or were cancelled, within keep_seconds. The ' +
        'oldest are deleted first. 0 for no limit.',
    ),
  sweep_seconds: seconds(60).description(
    'Interval of the tasks that remove leftovers, restore lost jobs and keep auto backups going.',
  ),
  late_call_seconds: seconds(120, 0).description(
    'Maximum time in which a service may still perform a call after its sender has died. A worker ' +
      'that resumes a job waits this long before it repeats a create call whose resource it cannot ' +
      'find. Must be at least the maximum time that a service, or a proxy in front of it, works on one ' +
      'request.',
  ),
  recheck_seconds: seconds(900, 0).description(
    "How long after a job's end to search for resources of calls with an unknown outcome.",
  ),
  old_store_seconds: seconds(300)
    .description(
      'A store that was last used longer ago than this counts as an older copy that was put back: if it ' +
        'has unfinished jobs, nothing of it runs until an operator decides. Processes that stop in order ' +
        'do not leave such a store.',
    )
    .meta(variable('GATEWAY_OLD_STORE_SECONDS')),
}).description('Jobs, their queues and their workers.');

export const timeLimitsSettings = section({
  upstream_request_seconds: timerSeconds(30).description('One request to a cloud service.'),
  upstream_queue_seconds: timerSeconds(10).description(
    'How long a request to a cloud service waits in the queue; after that 503.',
  ),
  sync_create_seconds: timerSeconds(900).description(
    'How long a synchronous create request waits for its job, which continues afterwards.',
  ),
  volume_seconds: timerSeconds(600).description('Wait until a volume is available.'),
  volume_copy_seconds: timerSeconds(21_600).description(
    'The same for a job that only creates a volume, which may be a large copy, and for the upload of ' +
      'an image.',
  ),
  managed_cluster_seconds: timerSeconds(7200).description(
    'Wait until a managed cluster is complete, or gone after a failure.',
  ),
  backup_seconds: timerSeconds(86_400).description('Wait until a backup is available, or restored.'),
  share_seconds: timerSeconds(300).description(
    'Wait until a share is available, and until an access rule is active.',
  ),
  server_seconds: timerSeconds(600).description('Wait until a server is active.'),
  move_seconds: timerSeconds(3600).description('Wait until an instance has moved from one host to another.'),
  step_retry_seconds: timerSeconds(60, 0).description(
    'How long a step is retried while its service is unavailable or rate limits the gateway; 0 for no ' +
      'retries.',
  ),
  undo_seconds: timerSeconds(300).description('Undo of one step of a job.'),
  job_accept_seconds: timerSeconds(30).description(
    'How long a delete request waits until its job has sent the deletion to the service, and an ' +
      'update of quotas until its job has ended.',
  ),
  dashboard_part_seconds: timerSeconds(10).description(
    'How long a dashboard waits for each service; after that its response omits the service. Lists ' +
      'wait half as long for the names of other resources, and then have none.',
  ),
  load_balancer_seconds: timerSeconds(30).description(
    'How long a change waits for a load balancer that is busy with another change.',
  ),
  volume_ready_seconds: timerSeconds(30, 0).description(
    'How long an attachment waits for a volume that is being created, or detached from another instance.',
  ),
  build_seconds: timerSeconds(1800).description(
    'Wait until the builder of a library has reported and powered off.',
  ),
  build_accept_seconds: timerSeconds(30).description(
    'How long a build request waits until its job has created the share; after that the response has ' +
      'no share id.',
  ),
  lite_callback_seconds: timerSeconds(1800).description(
    'Wait until the control node of a lite cluster has reported its installation.',
  ),
  lite_ready_seconds: timerSeconds(900).description(
    'Wait until all nodes of a lite cluster are ready, once its agents are running.',
  ),
  lite_scale_seconds: timerSeconds(900).description(
    'How long a request that changes a lightweight cluster waits for its job.',
  ),
  first_boot_seconds: seconds(3600, 60).description(
    'How long the workspace of an instance counts as pending while the instance does not report its ' +
      'result; after that its status is unknown.',
  ),
  lite_drain_seconds: timerSeconds(60, 0).description('Drain of an agent before its removal.'),
  lite_upgrade_drain_seconds: timerSeconds(600, 0).description(
    'Drain of an agent before its upgrade. Pods that have not left by then stop the upgrade.',
  ),
  lite_upgrade_node_seconds: timerSeconds(3600).description(
    'Upgrade of one node of a lite cluster, including the download.',
  ),
  shutdown_seconds: timerSeconds(25).description(
    'How long a stopping process waits for its requests or jobs in progress.',
  ),
}).description('Timeouts.');

export const autoBackupSettings = section({
  min_interval_seconds: seconds(3600, 60).description(
    'The minimum time between two runs of an auto backup; more frequent schedules are rejected.',
  ),
  spread_seconds: seconds(600, 0).description(
    'Runs that are due at the same time are spread over this time after it, each volume with its own ' +
      'place, but over at most a tenth of the time until the next run. 0 lets all begin at once.',
  ),
  running_limit: integer(50, 0).description(
    'Maximum runs of all projects at once; others that are due wait. 0 for no limit.',
  ),
}).description('Backups on a schedule.');
