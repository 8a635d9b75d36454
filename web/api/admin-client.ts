import { signal } from '@preact/signals';
import { ROOT } from '../router.ts';
import type { paths as Paths } from './admin.d.ts';
import { CallError, note, readBody, urlOf } from './client.ts';

type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never;
type Ok<O> = O extends { responses: { 200: infer R } } | { responses: { 201: infer R } } ? Json<R> : never;
type GetPath = { [P in keyof Paths]: Paths[P] extends { get: object } ? P : never }[keyof Paths];
type PostPath = { [P in keyof Paths]: Paths[P] extends { post: object } ? P : never }[keyof Paths];
/** What a GET of the administration answers. */
export type AdminAnswer<P extends GetPath> = Ok<NonNullable<Paths[P]['get']>>;
type PostAnswer<P extends PostPath> = Ok<NonNullable<Paths[P]['post']>>;

const STORED_KEY = 'tongate-admin-key';

/** The administration key; kept until the tab is closed. */
export const adminKey = signal(read());
adminKey.subscribe((key) => {
  try {
    if (key === '') sessionStorage.removeItem(STORED_KEY);
    else sessionStorage.setItem(STORED_KEY, key);
  } catch {
    // The page works without it.
  }
});

function read(): string {
  try {
    return sessionStorage.getItem(STORED_KEY) ?? '';
  } catch {
    return '';
  }
}

/** Values of a path and of the query, or the body. */
interface CallOptions {
  readonly id?: string;
  readonly query?: object;
  readonly body?: object;
}

/** Reads from the administration; rejects with a `CallError`. Its calls count against no rate, so they need no pace. */
export function adminGet<P extends GetPath>(
  path: P,
  { id, query = {} }: CallOptions = {},
  abort?: AbortSignal,
): Promise<AdminAnswer<P>> {
  const url = urlOf(withId(path, id), query);
  return send('GET', url, undefined, abort) as Promise<AdminAnswer<P>>;
}

/** Changes something. */
export function adminPost<P extends PostPath>(
  path: P,
  { id, body = {} }: CallOptions = {},
): Promise<PostAnswer<P>> {
  return send('POST', withId(path, id), JSON.stringify(body)) as Promise<PostAnswer<P>>;
}

function withId(path: string, id: string | undefined): string {
  return id === undefined ? path : path.replace('{id}', encodeURIComponent(id));
}

async function send(
  method: 'GET' | 'POST',
  url: string,
  body?: string,
  abort?: AbortSignal,
): Promise<unknown> {
  note({ method, url, ...(body !== undefined && { body }), isAdmin: true });
  const response = await fetch(ROOT + url.slice(1), {
    method,
    headers: {
      ...(adminKey.peek() !== '' && { 'x-admin-key': adminKey.peek() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    ...(abort && { signal: abort }),
  }).catch((error: unknown) => {
    if (abort?.aborted === true) throw error;
    throw new CallError(0, 'The server cannot be reached');
  });
  return readBody(response, abort);
}
