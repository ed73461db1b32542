import { isDeepStrictEqual } from 'node:util';
import { compareField } from './compare-field.ts';
import { compareShape } from './compare-shape.ts';
import type { ContractEndpoint } from './contract.ts';
import { type Document, type Operation, resolve, type Schema } from './openapi.ts';

/** The differences between the document and the contract's statements about an endpoint. */
export function compareEndpoint(
  wanted: ContractEndpoint,
  operation: Operation,
  document: Document,
): string[] {
  const hasBody = !wanted.endpoint.startsWith('HEAD ');
  return [
    ...compareAccess(wanted, operation),
    ...comparePath(wanted, operation),
    ...compareQuery(wanted, operation, document),
    ...compareBody(wanted, operation, document),
    ...compareStatuses(wanted, operation),
    ...(hasBody ? compareResponse(wanted, operation, document) : []),
  ];
}

/** The operation of an endpoint. An endpoint for GET also serves HEAD, and its operation documents both. */
export function operationOf({ endpoint }: ContractEndpoint, { paths }: Document): Operation | undefined {
  const [method = '', path = ''] = endpoint.split(' ');
  return paths[path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
}

function compareAccess({ token, service }: ContractEndpoint, { security, responses }: Operation): string[] {
  return [
    ...(token !== undefined && token !== security.length > 0 ? [`requires a token: ${!token}`] : []),
    ...(service !== undefined && !('404' in responses) ? ['has no 404 for a service that is off'] : []),
  ];
}

function comparePath({ endpoint }: ContractEndpoint, operation: Operation): string[] {
  const wanted = [...endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const found = parametersIn('path', operation).map(({ name }) => name);
  return isDeepStrictEqual(wanted, found) ? [] : [`has the path parameters ${found}`];
}

function compareQuery({ query = {} }: ContractEndpoint, operation: Operation, document: Document): string[] {
  const parameters = parametersIn('query', operation);
  return [
    ...Object.entries(query).flatMap(([name, wanted]) => {
      const found = parameters.find((parameter) => parameter.name === name);
      return compareField(
        name,
        wanted,
        found && { ...resolve(found.schema, document), isRequired: found.required },
      );
    }),
    ...additional(
      parameters.filter(({ required }) => required).map(({ name }) => name),
      query,
    ),
  ];
}

function parametersIn(where: string, { parameters = [] }: Operation) {
  return parameters.filter((parameter) => parameter.in === where);
}

function compareBody({ body = {} }: ContractEndpoint, operation: Operation, document: Document): string[] {
  const declared = operation.requestBody?.content['application/json']?.schema ?? {};
  const { properties = {}, required = [] } = resolve(declared, document);
  return [
    ...Object.entries(body).flatMap(([name, wanted]) => {
      const found = properties[name];
      return compareField(
        name,
        wanted,
        found && { ...resolve(found, document), isRequired: required.includes(name) },
      );
    }),
    ...additional(required, body),
  ];
}

/** Fields that only the document requires. Clients that follow the contract do not send them. */
function additional(required: readonly string[], wanted: object): string[] {
  return required.filter((name) => !(name in wanted)).map((name) => `requires ${name} in addition`);
}

function compareStatuses({ status, errors = [] }: ContractEndpoint, { responses }: Operation): string[] {
  const wanted = [...(status === undefined ? [] : [status]), ...errors];
  return wanted.filter((one) => !(one in responses)).map((one) => `does not answer ${one}`);
}

function compareResponse(wanted: ContractEndpoint, operation: Operation, document: Document): string[] {
  const [success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const content = operation.responses[success ?? '']?.content ?? {};
  const [type, { schema } = {} as { schema?: Schema }] = Object.entries(content)[0] ?? [];
  if (wanted.empty === true) return schema === undefined ? [] : ['answers with a body'];
  return [
    ...(wanted.stream === true && type !== 'text/event-stream' ? [`answers ${type}`] : []),
    ...(wanted.response === undefined ? [] : compareShape('response', wanted.response, schema, document)),
  ];
}
