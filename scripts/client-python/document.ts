/** The parts of an OpenAPI document that the Python package is generated from. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

export interface OpenApiOperation {
  operationId: string;
  summary?: string;
  /** The type of the events that say that this list may have changed. */
  'x-event-type'?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: RequestBody;
  responses: Record<string, { content?: Content; headers?: Record<string, unknown> }>;
}

export interface RequestBody {
  required?: boolean;
  content: Content;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean | null;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

type Content = Record<string, { schema?: Schema }>;

/** The name of what a reference points to. */
export function referredName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
