import { idParamOf, type ResourceName } from '@gateway/core';
import { traitsOf } from '@gateway/jobs';
import type { Ended, EndedJob, EndedRequest, NamedResource } from '../activity.ts';

/** The form in which the cloud's own services report what users do (CADF, DMTF DSP0262). */
export interface CadfEvent {
  typeURI: 'http://schemas.dmtf.org/cloud/audit/1.0/event';
  eventType: 'activity';
  /** The same in each delivery of the event. */
  id: string;
  eventTime: string;
  action: string;
  outcome: CadfOutcome;
  /** `replay`: the response is that of an earlier request, whose event says what it has changed. */
  tags?: 'replay'[];
  initiator: CadfResource & {
    project_id?: string;
    host?: { address: string };
    request_id: string;
    /** Of a log-in: the same for the same domain and name. */
    name_hash?: string;
  };
  target: CadfResource & { project_id?: string };
  observer: CadfResource;
  reason?: { reasonType: 'HTTP' | 'gateway'; reasonCode: string };
  requestPath?: string;
  attachments?: CadfAttachment[];
}

/** `pending`: a job has been started, whose end is an event of its own. */
type CadfOutcome = 'success' | 'failure' | 'pending';

interface CadfResource {
  typeURI: string;
  id: string;
  name?: string;
}

/** What an event is about besides its target. */
interface CadfAttachment {
  typeURI: string;
  name: string;
  content: string;
}

export interface EventOrigin {
  id: string;
  /** Milliseconds since the epoch. */
  time: number;
  gateway: string;
  region: string;
}

/** The taxonomy of CADF has no terms for the rest of a path, and lets each of its terms be refined. */
const TYPES: Record<ResourceName, string> = {
  auto_backup: 'storage/volume/auto_backup',
  backup: 'storage/volume/backup',
  cluster: 'compute/cluster',
  container: 'compute/container',
  domain: 'data/security/domain',
  file_storage: 'storage/directory',
  flavor: 'data/template/flavor',
  floating_ip: 'network/floating_ip',
  group: 'data/security/group',
  hypervisor: 'compute/node',
  image: 'data/image',
  instance: 'compute/machine',
  keypair: 'data/security/key',
  library: 'data/package',
  lite_cluster: 'compute/lite_cluster',
  load_balancer: 'network/load_balancer',
  network: 'network',
  port: 'network/port',
  project: 'data/security/project',
  quota: 'data/config/quota',
  role: 'data/security/role',
  router: 'network/router',
  security_group: 'network/security_group',
  security_service: 'data/security/directory',
  server_group: 'compute/server_group',
  share_network: 'network/share_network',
  share_snapshot: 'storage/directory/snapshot',
  snapshot: 'storage/volume/snapshot',
  subnet: 'network/subnet',
  transfer: 'storage/volume/transfer',
  user: 'data/security/account/user',
  volume: 'storage/volume',
  volume_type: 'data/template/volume_type',
  webhook: 'service/oss/webhook',
};
const USER = 'service/security/account/user';
const GATEWAY = 'service/oss';
const JOB = 'data/workload/job';
/** What writes change that is no resource of the interface, by the beginning of their routes. */
const OTHER_TARGETS: readonly [string, string][] = [
  ['/api/auth/application-credentials', 'data/security/credential'],
  ['/api/auth', USER],
  ['/api/profile', USER],
  ['/api/jobs', JOB],
  ['/api/admin/jobs', JOB],
  ['/api/admin/leftovers', 'service/oss/leftover'],
  ['/api/admin/queues/:queue/entries', 'service/oss/queue/entry'],
  ['/api/admin/queues', 'service/oss/queue'],
  ['/api/admin/read-only-mode', 'service/oss/read_only_mode'],
  ['/api/events', 'service/oss/events'],
  ['/api/lite/clusters', TYPES.lite_cluster],
];
/** The word of CADF for what is not known, such as the id of what could not be created. */
const UNKNOWN = 'unknown';

/** A request that has been answered, or a job that has ended, as an event. */
export function cadfEventOf(ended: Ended, origin: EventOrigin): CadfEvent {
  const { gateway, id, region, time } = origin;
  const { projectId, requestId, userId, userName } = ended;
  return {
    typeURI: 'http://schemas.dmtf.org/cloud/audit/1.0/event',
    eventType: 'activity',
    id,
    eventTime: new Date(time).toISOString().replace('Z', '+00:00'),
    ...(ended.kind === 'request' ? ofRequest(ended) : ofJob(ended)),
    initiator: {
      typeURI: USER,
      id: userId ?? UNKNOWN,
      ...(userName !== null && { name: userName }),
      ...(projectId !== null && { project_id: projectId }),
      ...(ended.kind === 'request' && { host: { address: ended.address } }),
      ...(ended.kind === 'request' && ended.nameHash !== null && { name_hash: ended.nameHash }),
      request_id: requestId,
    },
    observer: { typeURI: GATEWAY, id: `${region}/${gateway}`, name: gateway },
  };
}

type Part = Pick<
  CadfEvent,
  'action' | 'outcome' | 'tags' | 'target' | 'reason' | 'requestPath' | 'attachments'
>;

function ofRequest(request: EndedRequest): Part {
  const { about, effect, isPending, isReplay, jobId, resources, route, startsJob, status, userId } = request;
  const written = effect?.resource ?? (startsJob === null ? null : traitsOf(startsJob).resourceType);
  const isSession = about === 'session';
  // Another resource of the path is not what a refused creation was about.
  const named =
    written === null ? resources.at(-1) : resources.findLast(({ resource }) => resource === written);
  const target = isSession ? null : (named ?? null);
  const typeURI = written === null ? (otherTargetOf(route)?.[1] ?? GATEWAY) : TYPES[written];
  const projectId = request.targetProjectId ?? request.projectId;
  const others = resources.filter((one) => one !== target);
  return {
    action: isSession ? actionOnSession(request) : actionOn(request),
    outcome: status >= 400 ? 'failure' : isPending ? 'pending' : 'success',
    ...(isReplay && { tags: ['replay' as const] }),
    target: {
      typeURI,
      id: target?.id ?? (typeURI === USER ? userId : null) ?? UNKNOWN,
      ...(target?.name != null && { name: target.name }),
      ...(projectId !== null && { project_id: projectId }),
    },
    reason: { reasonType: 'HTTP', reasonCode: String(status) },
    requestPath: route.replaceAll(/:(\w+)/g, '{$1}'),
    ...attachments(others, jobId),
  };
}

function ofJob({ code, jobId, projectId, resources, status, type }: EndedJob): Part {
  const [target] = resources;
  return {
    action: actionOfJob(type),
    outcome: status === 'completed' ? 'success' : 'failure',
    target: {
      typeURI: typeOf(target?.resource ?? null),
      id: target?.id ?? UNKNOWN,
      ...(target?.name != null && { name: target.name }),
      ...(projectId !== null && { project_id: projectId }),
    },
    reason: { reasonType: 'gateway', reasonCode: code ?? status },
    ...attachments([], jobId),
  };
}

/** Whether the resource itself is created, updated or deleted, or what of it is changed: `update/start`. */
function actionOn(request: EndedRequest): string {
  const { effect, method, startsJob } = request;
  if (effect?.as === 'created') return 'create';
  if (effect?.as === 'deleted' || effect?.as === 'deleting') return 'delete';
  if (startsJob !== null && effect?.as !== 'updated') return actionOfJob(startsJob);
  const part = partIn(request);
  if (part !== null) return method === 'DELETE' ? `update/${part}/delete` : `update/${part}`;
  if (method === 'DELETE') return 'delete';
  return method === 'POST' && effect === null ? 'create' : 'update';
}

/**
 * What the path names behind the target: `start` in `/api/instances/:instance_id/start`. If it does not name
 * the target, what it names behind its last parameter.
 */
function partIn({ effect, route }: EndedRequest): string | null {
  const path = route.replace(/\/async$/, '');
  const [target = ''] = effect === null ? (otherTargetOf(route) ?? []) : [`:${idParamOf(effect.resource)}`];
  const at = path.indexOf(target);
  const behind = path.slice(at < 0 ? path.lastIndexOf('/:') + 1 : at + target.length);
  return (
    behind
      .split('/')
      .slice(1)
      .findLast((name) => !name.startsWith(':')) ?? null
  );
}

function actionOnSession({ method, route }: EndedRequest): string {
  const last = lastOf(route);
  if (method === 'DELETE' || last === 'logout') return 'revoke';
  return method === 'POST' ? `authenticate/${last}` : 'update';
}

/** `instance.create` creates. */
function actionOfJob(type: string): string {
  const verb = lastOf(type.replaceAll('.', '/'));
  if (verb === 'create' || verb === 'update' || verb === 'delete') return verb;
  return verb === 'remove' || verb === 'purge' ? 'delete' : `update/${verb}`;
}

function otherTargetOf(route: string): readonly [string, string] | undefined {
  return OTHER_TARGETS.find(([root]) => route.startsWith(root));
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const typeOf = (resource: ResourceName | null) => (resource === null ? GATEWAY : TYPES[resource]);

function attachments(
  others: readonly NamedResource[],
  jobId: string | null,
): { attachments?: CadfAttachment[] } {
  const attached = others.map(
    ({ id, resource }): CadfAttachment => ({ typeURI: typeOf(resource), name: 'resource_id', content: id }),
  );
  if (jobId !== null) attached.push({ typeURI: JOB, name: 'job_id', content: jobId });
  return attached.length === 0 ? {} : { attachments: attached };
}
