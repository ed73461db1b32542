export { decisionFields, fieldErrors } from './error-fields.ts';
export { exampleOf } from './example.ts';
export { exampleId } from './example-id.ts';
export * from './fields.ts';
export { toJsonSchema } from './json-schema.ts';
export { fieldsOf, isObject, itemOf, kindsOf, typeOf, valuesOf } from './parts.ts';
export { givenExampleOf, nameOf, part, type Shape, type ShapeType, shape, shapeLike } from './shape.ts';
