/** Why a 409 `conflict` refuses, with what a client can do. Closed: another reason is added here first. */
export const CONFLICT_REASONS = {
  wrong_state: {
    means: 'The state of the resource does not allow this; `params.state` is the state, if it is known.',
    action:
      'Read the row again, and offer what its `allowed_actions` name. States that end by themselves: wait.',
  },
  locked: {
    means: 'The instance is locked.',
    action: 'Offer to unlock it: `POST /api/instances/{instance_id}/unlock`.',
  },
  busy: {
    means: 'Another request or job is changing the resource; `job_id` names the job, if there is one.',
    action: 'Follow that job, or wait for some seconds, and send the request again.',
  },
  in_use: {
    means: 'Something outside the resource uses it, for example an instance that has the volume attached.',
    action: 'Show the sentence, which names the users where they are known. They have to let go first.',
  },
  not_empty: {
    means: 'The resource still contains or owns others, such as the snapshots of a volume.',
    action: 'Show the sentence, and lead to those resources. They have to be deleted first.',
  },
  already_done: {
    means: 'What the request asks for is so already, or its place is taken.',
    action: 'Read the row again. Nothing else is needed.',
  },
  name_taken: {
    means: 'Another resource has the name, or one that would be made; `params.name` is the name.',
    action: 'Ask for another name, at the field of the name.',
  },
  changed_meanwhile: {
    means: 'Somebody else has changed or removed what the request needs, since it was read or the job began.',
    action: 'Read the list again, and let the person decide anew.',
  },
  protected: {
    means: 'The gateway, its configuration, the caller or another resource cannot do without the resource.',
    action: 'Show the sentence. Do not offer the action for this resource.',
  },
  confirmation_required: {
    means: 'The request is dangerous, and does not say the word that the sentence asks for.',
    action: 'Show the sentence as a question, and send the request again with that field.',
  },
  unsuitable: {
    means: 'What the request combines does not go together, such as a backup and a smaller volume.',
    action: 'Show the sentence, and let the person choose something else.',
  },
  not_supported: {
    means: 'This cloud does not offer what the request needs.',
    action: 'Show the sentence. Hide the action on this site.',
  },
  incomplete: {
    means: 'The job has ended, but left something that could not be removed or moved.',
    action: 'Show the sentence, which lists it. The same request continues.',
  },
  refused_by_service: {
    means:
      'A service of the cloud refuses, for a reason that only its own sentence has; `upstream` names it.',
    action: 'Show the sentence, which has the words of the service.',
  },
} as const satisfies Record<string, { means: string; action: string }>;

export type ConflictReason = keyof typeof CONFLICT_REASONS;
