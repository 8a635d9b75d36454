import { signal } from '@preact/signals';
import { ROOT } from '../router.ts';
import { loadServerInfo, serverInfo } from '../server-info.ts';
import { storedText } from '../stored.ts';
import { learnNames } from './address-names.ts';
import type { paths as LocalnetPaths } from './localnet.d.ts';
import type { paths as V2Paths } from './v2.d.ts';
import type { paths as V3Paths } from './v3.d.ts';

type Paths = V2Paths & V3Paths & LocalnetPaths;
type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never;

export type PathOf<Document, Method extends 'get' | 'post' | 'delete'> = {
  [Path in keyof Document]: Document[Path] extends Record<Method, object> ? Path : never;
}[keyof Document];
export type Ok<Operation> = Operation extends
  | { responses: { 200: infer Response } }
  | { responses: { 201: infer Response } }
  ? Json<Response>
  : never;

export type GetPath = PathOf<Paths, 'get'>;
type PostPath = PathOf<Paths, 'post'>;
export type Query<Path extends GetPath> = Paths[Path]['get'] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : never;
type Body<Path extends PostPath> = Paths[Path]['post'] extends { requestBody?: infer Part }
  ? Json<NonNullable<Part>>
  : never;
export type GetAnswer<Path extends GetPath> = Ok<Paths[Path]['get']>;
/** A row of the list `Name` of an answer. */
export type RowOf<
  Path extends GetPath,
  Name extends keyof GetAnswer<Path>,
> = GetAnswer<Path>[Name] extends readonly (infer Row)[] ? Row : never;

/** A request that a page made, for people who want to make it themselves. */
export interface MadeCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
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

/** The key that a person entered, or followed a link with; empty for none. The documentation pages read it too. */
export const apiKey = storedText('api-key');

const MAX_CALLS_SHOWN = 20;
export const pageCalls = signal<readonly MadeCall[]>([]);

const pace = createPace();
/** Seconds that the page waits because its rate is used up; 0 while it does not. */
export const waitSeconds = pace.waitSeconds;

/** Calls an operation by GET. Waits and repeats while the rate is exceeded; rejects with a `CallError`. */
export async function get<Path extends GetPath>(
  path: Path,
  query: Query<Path> = {} as Query<Path>,
  abort?: AbortSignal,
): Promise<GetAnswer<Path>> {
  return (await getPage(path, query, abort)).answer;
}

/** Calls a list by GET; `next` is the cursor of the page that follows, undefined on the last one. */
export async function getPage<Path extends GetPath>(path: Path, query: Query<Path>, abort?: AbortSignal) {
  const { body, response } = await exchange({ method: 'GET', url: urlOf(path, query) }, abort);
  const next = response.headers.get('x-tongate-next-cursor') ?? undefined;
  return { answer: body as GetAnswer<Path>, next };
}

/** The first row of the list `name` of an answer; null if the list is empty. */
export async function getFirst<Path extends GetPath, Name extends keyof GetAnswer<Path>>(
  path: Path,
  name: Name,
  query: Query<Path>,
  abort: AbortSignal,
) {
  const rows = (await get(path, { ...query, limit: 1 }, abort))[name] as readonly RowOf<Path, Name>[];
  return rows[0] ?? null;
}

export async function post<Path extends PostPath>(path: Path, input: Body<Path>, abort?: AbortSignal) {
  const call = { method: 'POST', url: path, body: JSON.stringify(input) } as const;
  return (await exchange(call, abort)).body as Ok<Paths[Path]['post']>;
}

async function exchange(call: MadeCall, abort?: AbortSignal): Promise<{ body: unknown; response: Response }> {
  note(call);
  const response = await pace.send((token) => fetchCall(call, { ...keyHeader(), ...token }, abort), abort);
  const body = await readBody(response, abort);
  learnNames(body);
  return { body, response };
}

const NO_CONTENT = 204;

/** The JSON of a response, if it has one; throws its error if it is one. */
export async function readBody(response: Response, abort?: AbortSignal): Promise<unknown> {
  if (response.status === NO_CONTENT) return undefined;
  const body: unknown = await response.json().catch((error: unknown) => {
    if (abort?.aborted === true) throw error;
    return undefined;
  });
  if (!response.ok) {
    const { error } = (body ?? {}) as { readonly error?: unknown };
    throw new CallError(
      response.status,
      typeof error === 'string' ? error : `HTTP status ${response.status}`,
    );
  }
  if (body === undefined) throw new CallError(0, 'The response was cut off');
  return body;
}

/** Sends a call; rejects with a `CallError` if there is no answer. */
export async function fetchCall(
  { method, url, body }: MadeCall,
  headers: Readonly<Record<string, string>>,
  abort?: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(ROOT + url.slice(1), {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body ?? null,
      signal: abort ?? null,
    });
  } catch (error) {
    if (abort?.aborted === true) throw error;
    throw new CallError(0, 'The server cannot be reached');
  }
}

export function keyHeader(): Record<string, string> {
  return apiKey.value === '' ? {} : { 'x-api-key': apiKey.value };
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

export function note(call: MadeCall): void {
  const calls = pageCalls.peek();
  const isRepeated = calls.some(
    ({ method, url, body }) => method === call.method && url === call.url && body === call.body,
  );
  if (!isRepeated && calls.length < MAX_CALLS_SHOWN) pageCalls.value = [...calls, call];
}

const WINDOW_MS = 1000;
const MAX_REPEATS = 8;

/**
 * Keeps the calls of a page within its rate, which responses tell: a page makes several calls at once, and a caller without
 * a key may have one per second.
 */
function createPace() {
  const waitSeconds = signal(0);
  /** Calls per second, as the first response tells. */
  let rate: number | undefined;
  const sentAt: number[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  /** The calls that are left of the token of this page, which is for callers without a key, and until when. */
  let [token, tokenCalls, tokenEndsAt] = ['', 0, 0];

  function takeToken(): void {
    const given = serverInfo.peek().page_token;
    if (given === null || given.token === token) return;
    [token, tokenCalls] = [given.token, given.calls];
    tokenEndsAt = performance.now() + given.seconds * 1000;
  }

  /** The header with which a call goes ahead of the rate; undefined if there is none. */
  async function aheadOfRate(): Promise<Record<string, string> | undefined> {
    if (apiKey.peek() !== '') return undefined;
    takeToken();
    if (token !== '' && performance.now() >= tokenEndsAt) {
      await loadServerInfo().catch(() => {});
      takeToken();
    }
    if (tokenCalls <= 0 || performance.now() >= tokenEndsAt) return undefined;
    tokenCalls -= 1;
    return { 'x-tongate-page': token };
  }

  /** One after another, so that calls are sent in the order in which they were made. */
  function waitForTurn(): Promise<Record<string, string>> {
    const next = turn.then(async () => {
      const ahead = await aheadOfRate();
      if (ahead !== undefined) return ahead;
      for (;;) {
        const now = performance.now();
        while (sentAt.length > 0 && sentAt[0]! <= now - WINDOW_MS) sentAt.shift();
        const anonymousRate = apiKey.peek() === '' ? serverInfo.peek().anonymous_rps : null;
        if (sentAt.length < Math.max(1, rate ?? anonymousRate ?? Number.POSITIVE_INFINITY)) break;
        await sleep(sentAt[0]! + WINDOW_MS - now + 5);
      }
      sentAt.push(performance.now());
      return {};
    });
    turn = next;
    return next;
  }

  async function send(
    call: (headers: Readonly<Record<string, string>>) => Promise<Response>,
    abort?: AbortSignal,
  ): Promise<Response> {
    for (let repeats = 0; ; repeats++) {
      const headers = await waitForTurn();
      abort?.throwIfAborted();
      const response = await call(headers);
      const limit = Number(response.headers.get('x-ratelimit-limit') ?? Number.NaN);
      if (limit > 0) rate = limit;
      if (response.status !== 429 || repeats >= MAX_REPEATS) return response;
      // Another window of this address has used them.
      tokenCalls = 0;
      const seconds = Math.max(1, Number(response.headers.get('retry-after') ?? 1) || 1);
      waitSeconds.value = seconds;
      await sleep(seconds * 1000);
      waitSeconds.value = 0;
    }
  }

  return { waitSeconds, send };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
