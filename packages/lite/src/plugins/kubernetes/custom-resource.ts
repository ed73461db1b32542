import type { KubernetesObject } from './object.ts';

/** The schema of a field of an object (OpenAPI 3, with the extensions of Kubernetes). */
export type Schema = Record<string, unknown>;

interface CustomResource {
  group: string;
  kind: string;
  /** The plural in lower case. */
  resource: string;
  shortNames: string[];
  scope: 'Namespaced' | 'Cluster';
  /** The fields besides `apiVersion`, `kind` and `metadata`. */
  fields: Record<string, Schema>;
  required: string[];
  /** What `kubectl get` shows besides name and age: the JSON path and the type of each column. */
  columns: Record<string, readonly [jsonPath: string, type: string]>;
  /** Where the API was approved, which Kubernetes asks for in its own groups. */
  approval: string;
}

/** The definition of version `v1` of a custom resource. */
export function customResource({
  group,
  kind,
  resource,
  shortNames,
  scope,
  fields,
  required,
  columns,
  approval,
}: CustomResource): KubernetesObject {
  const shown = { ...columns, Age: ['.metadata.creationTimestamp', 'date'] as const };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource}.${group}`, annotations: { 'api-approved.kubernetes.io': approval } },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural: resource,
        singular: kind.toLowerCase(),
        shortNames,
      },
      scope,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: Object.entries(shown).map(([name, [jsonPath, type]]) => ({
            name,
            jsonPath,
            type,
          })),
          schema: {
            openAPIV3Schema: record({
              required,
              fields: { apiVersion: text, kind: text, metadata: { type: 'object' }, ...fields },
            }),
          },
          ...('status' in fields && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

export const text: Schema = { type: 'string' };
export const time: Schema = { type: 'string', format: 'date-time' };
export const flag: Schema = { type: 'boolean' };

/** A text that is one of these. */
export function choice(...values: string[]): Schema {
  return { type: 'string', enum: values };
}

interface RecordSchema {
  fields: Record<string, Schema>;
  required?: string[];
  /** Conditions in CEL on the record (`self`, and `oldSelf` before a change), with what they mean. */
  rules?: Record<string, string>;
}

export function record({ fields, required = [], rules = {} }: RecordSchema): Schema {
  const schema = { type: 'object', properties: fields, ...(required.length > 0 && { required }) };
  return withRules(schema, rules);
}

/** @param rules conditions in CEL on the field, with what they mean */
export function withRules(schema: Schema, rules: Record<string, string>): Schema {
  const validations = Object.entries(rules).map(([rule, message]) => ({ rule, message }));
  return validations.length === 0 ? schema : { ...schema, 'x-kubernetes-validations': validations };
}

/** The rule of a field that keeps its first value. */
export const unchanged = { 'self == oldSelf': 'must not change' };
