import { computed, signal } from '@preact/signals';
import { ROOT } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { storedText } from '../stored.ts';
import { learnNames } from './address-names.ts';
import type { paths as LocalnetPaths } from './localnet.d.ts';
import { createPace } from './pace.ts';
import type { paths as V2Paths } from './v2.d.ts';
import type { paths as V3Paths } from './v3.d.ts';

type Paths = V2Paths & V3Paths & LocalnetPaths;
type Operation<Method extends 'get' | 'post', Path extends keyof Paths> = NonNullable<Paths[Path][Method]>;
type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never;

/** Paths that are called by GET. */
export type GetPath = {
  [Path in keyof Paths]: Paths[Path] extends { get: object } ? Path : never;
}[keyof Paths];
/** Paths that are called by POST. */
export type PostPath = {
  [Path in keyof Paths]: Paths[Path] extends { post: object } ? Path : never;
}[keyof Paths];
/** Parameters of a GET. */
export type Query<Path extends GetPath> =
  Operation<'get', Path> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
/** Body of a POST. */
export type Body<Path extends PostPath> =
  Operation<'post', Path> extends { requestBody?: infer Part } ? Json<NonNullable<Part>> : never;
type Ok<O> = O extends { responses: { 200: infer Response } } ? Json<Response> : never;
/** What a GET answers. */
export type GetAnswer<Path extends GetPath> = Ok<Operation<'get', Path>>;
/** What a POST answers. */
export type PostAnswer<Path extends PostPath> = Ok<Operation<'post', Path>>;

/** A request that a page made, for people who want to make it themselves. */
export interface MadeCall {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly url: string;
  readonly body?: string | undefined;
  /** Whether it needs the administration key. */
  readonly isAdmin?: boolean;
}

/** A refusal, or no answer at all (status 0). */
export class CallError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/** The key that a person entered. */
export const enteredKey = storedText('api-key');
/** The key that is sent: the entered one, else that of a local chain. */
export const apiKey = computed(() => enteredKey.value || serverInfo.value.api_key || '');

const MAX_CALLS_SHOWN = 20;
/** The requests of the current page, without repetitions. */
export const pageCalls = signal<readonly MadeCall[]>([]);

const pace = createPace(() => apiKey.peek() !== '');
/** Seconds that the page waits because its rate is used up; 0 while it does not. */
export const waitSeconds = pace.waitSeconds;

/** Calls an operation by GET. Waits and repeats while the rate is exceeded; rejects with a `CallError`. */
export function get<Path extends GetPath>(
  path: Path,
  query: Query<Path> = {} as Query<Path>,
  abort?: AbortSignal,
): Promise<GetAnswer<Path>> {
  return request({ method: 'GET', url: urlOf(path, query) }, abort) as Promise<GetAnswer<Path>>;
}

/** Calls an operation by POST. */
export function post<Path extends PostPath>(
  path: Path,
  body: Body<Path>,
  abort?: AbortSignal,
): Promise<PostAnswer<Path>> {
  return request({ method: 'POST', url: path, body: JSON.stringify(body) }, abort) as Promise<
    PostAnswer<Path>
  >;
}

/** Calls a list by GET; `next` is the cursor of the page that follows, undefined on the last one. */
export async function getPage<Path extends GetPath>(
  path: Path,
  query: Query<Path>,
  abort?: AbortSignal,
): Promise<{ readonly answer: GetAnswer<Path>; readonly next: string | undefined }> {
  const { body, response } = await exchange({ method: 'GET', url: urlOf(path, query) }, abort);
  const next = response.headers.get('x-tongate-next-cursor') ?? undefined;
  return { answer: body as GetAnswer<Path>, next };
}

/** Calls what has no generated types; `url` is relative to the root and begins with a slash. */
export async function request(call: MadeCall, abort?: AbortSignal): Promise<unknown> {
  return (await exchange(call, abort)).body;
}

async function exchange(call: MadeCall, abort?: AbortSignal): Promise<{ body: unknown; response: Response }> {
  note(call);
  const response = await pace.send(() => send(call, abort), abort);
  const body = await readBody(response, abort);
  learnNames(body);
  return { body, response };
}

/** The JSON of a response; throws its error if it is one. */
export async function readBody(response: Response, abort?: AbortSignal): Promise<unknown> {
  const body: unknown = await response.json().catch((error: unknown) => {
    if (abort?.aborted === true) throw error;
    return undefined;
  });
  if (!response.ok) throw new CallError(response.status, errorText(body) ?? `HTTP status ${response.status}`);
  if (body === undefined) throw new CallError(0, 'The response was cut off');
  return body;
}

async function send({ method, url, body }: MadeCall, abort?: AbortSignal): Promise<Response> {
  try {
    return await fetch(ROOT + url.slice(1), {
      method,
      headers: callHeaders(body !== undefined),
      ...(body !== undefined && { body }),
      ...(abort && { signal: abort }),
    });
  } catch (error) {
    if (abort?.aborted === true) throw error;
    throw new CallError(0, 'The server cannot be reached');
  }
}

/** Headers of every call: the key, and the type of a body. */
export function callHeaders(hasBody: boolean): Record<string, string> {
  return {
    ...(apiKey.value !== '' && { 'x-api-key': apiKey.value }),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

/** Path with query; lists are repeated parameters, undefined ones are left out. */
export function urlOf(path: string, query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Adds a call to those shown below the page. */
export function note(call: MadeCall): void {
  const calls = pageCalls.peek();
  const isKnown = calls.some(
    ({ method, url, body }) => method === call.method && url === call.url && body === call.body,
  );
  if (!isKnown && calls.length < MAX_CALLS_SHOWN) pageCalls.value = [...calls, call];
}

function errorText(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { readonly error?: unknown };
  return typeof error === 'string' ? error : undefined;
}
