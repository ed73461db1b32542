/**
 * Keys of webhooks. The braces put all of them into one slot of a Redis Cluster, because scripts change
 * several at once. An id comes last, after a word of its own.
 */
export const webhookKeys = {
  /** A hash: one webhook. */
  record: (id: string) => `{webhooks}:webhook:${id}`,
  /** A set: the ids of all webhooks. */
  all: '{webhooks}:all',
  /** A set: the ids of the webhooks of a project; those of the site are of the project ''. */
  ofProject: (projectId: string) => `{webhooks}:of:${projectId}`,
  /** Exists for events that were stored for webhooks, for as long as they may be reported again. */
  seen: (eventId: string) => `{webhooks}:seen:${eventId}`,
  /** A hash: an event for one webhook. The member is that of `deliveryOf`. */
  delivery: (member: string) => `{webhooks}:delivery:${member}`,
  /** A sorted set by time of creation: the ids of the events that a webhook got or gets. */
  deliveries: (id: string) => `{webhooks}:deliveries:${id}`,
  /** A sorted set by the time of the next attempt: those of them that are not delivered. */
  queue: (id: string) => `{webhooks}:queue:${id}`,
  /** A hash of the quotas of a project that are nearly full. */
  nearlyFull: (projectId: string) => `{webhooks}:nearly-full:${projectId}`,
  /** A sorted set by the time of the next attempt: the webhooks with such a queue. */
  due: '{webhooks}:due',
  /** A sorted set by the time of the claim: the webhooks that some worker serves. */
  leases: '{webhooks}:leases',
  /** A sorted set by time of creation: all deliveries that are not delivered, of projects and of the site. */
  pendingOfProjects: '{webhooks}:pending-of-projects',
  pendingOfSite: '{webhooks}:pending-of-site',
};

export const settleKeys = {
  deliveryPrefix: webhookKeys.delivery(''),
  queuePrefix: webhookKeys.queue(''),
  due: webhookKeys.due,
  pendingOfProjects: webhookKeys.pendingOfProjects,
  pendingOfSite: webhookKeys.pendingOfSite,
};
