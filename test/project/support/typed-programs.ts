import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/** Where the files of a program seem to be, so that it finds its packages. */
const FOLDER = fileURLToPath(new URL('../../../', import.meta.url));

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts'],
  module: ts.ModuleKind.NodeNext,
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/** Compiles files that are given as texts by their names; returns the faults. */
export function compile(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(files).map(([name, text]) => [FOLDER + name, text]));
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = texts.get(name);
    return text === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...texts.keys()], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line;
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    return `${file?.fileName.replace(FOLDER, '')}:${line + 1} ${text}\n  ${file?.text.split('\n')[line]?.trim()}`;
  });
}

/** The types that openapi-typescript makes of a document. */
export async function typesOf(document: string): Promise<string> {
  return astToString(await openapiTS(JSON.parse(document)));
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Content {
  readonly content?: {
    readonly 'application/json'?: { readonly schema: Schema; readonly example?: unknown };
  };
}

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A program that calls every operation of a document, with examples where it has them, and uses the results. */
export function programOf(name: string, text: string): string {
  const { paths, components } = JSON.parse(text) as OpenApi;
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => callOf(path, method, operation, components.schemas)),
  );
  return `import type { paths } from './${name}.d.ts';
${CLIENT}
${calls.join('\n')}
`;
}

/** Functions with the types of `paths`, as clients such as openapi-fetch have them. */
const CLIENT = `
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Query<P> = P extends { get: { parameters: { query?: infer Q } } } ? Q : never;
type Body<P> = P extends { post: { requestBody?: infer B } } ? Json<NonNullable<B>> : never;
type Answer<O> = O extends { responses: { 200: infer Result; 503: infer Failure } }
  ? { ok: true; data: Json<Result> } | { ok: false; error: Json<Failure> }
  : never;
declare function get<P extends keyof paths>(path: P, query: Query<paths[P]>): Answer<paths[P]['get']>;
declare function post<P extends keyof paths>(path: P, body: Body<paths[P]>): Answer<paths[P]['post']>;
declare function use(value: string | number | boolean | object | null): void;
declare const anything: any;
`;

function callOf(
  path: string,
  method: string,
  { parameters = [], requestBody, responses }: Operation,
  schemas: OpenApi['components']['schemas'],
): string {
  const query = parameters
    .filter((parameter) => parameter.required && parameter.in === 'query')
    .map(({ name }) => `'${name}': anything`);
  const body = requestBody?.content?.['application/json']?.example ?? {};
  const hasQuery = parameters.some((parameter) => parameter.in === 'query');
  const input = method !== 'get' ? JSON.stringify(body) : hasQuery ? `{ ${query} }` : 'undefined';
  const result = responses[200]?.content?.['application/json']?.schema;
  const schema = result?.$ref === undefined ? result : schemas[result.$ref.split('/').at(-1)!];
  const members = schema?.required ?? [];
  return `{
  const answer = ${method}('${path}', ${input});
  if (!answer.ok) use(answer.error.error.toUpperCase());
  else {
    ${schema === undefined ? 'answer.data satisfies undefined' : 'use(answer.data)'};
    ${members.map((member) => `use(answer.data['${member}']);`).join(' ')}
    ${members.includes('ok') ? 'answer.data.ok satisfies true;' : ''}
  }
}`;
}
