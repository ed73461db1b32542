/** What people do with a resource; the first word of a command. */
export type Verb = 'list' | 'show' | 'create' | 'update' | 'delete' | 'action';

/**
 * An endpoint as a command, such as `list instances` or `action instance reboot <instance>`. Derived from the
 * OpenAPI document.
 */
export interface Operation {
  verb: Verb;
  /** In plural for `list`, such as `volume-backups`; else in singular, such as `volume-backup`. */
  noun: string;
  /** The last word of an `action`, such as `reboot`. */
  action?: string;
  method: string;
  /** Such as `/api/instances/{instance_id}`. */
  path: string;
  summary: string;
  /** The positional arguments, in the order of the path. */
  parameters: Parameter[];
  query: Field[];
  body?: Field[];
  /** The fields of a row, for `list`. */
  columns?: string[];
  /** The response has `items` and `next_marker`. */
  isPage?: true;
  /** The response is the events of a job. */
  streams?: true;
}

export interface Parameter {
  /** As in the path, such as `instance_id`. */
  name: string;
  /** The path of the list in which a name is looked up. */
  list?: string;
}

/** A field of the query or of the body, and so an option. */
export interface Field {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'json';
  isRequired?: true;
  description?: string;
  choices?: string[];
  /** What a file has, such as a script or a public key: `@path` stands for its text. */
  holdsText?: true;
  /** The path of the list in which a name is looked up, for fields such as `image_id`. */
  list?: string;
}
