import type { Json } from './recorded-files.ts';

/** The part of an answer that is compared: everything but `ok`, `code` and `@extra`, which follow from it or vary. */
export interface Outcome {
  readonly status: number;
  readonly result?: Json;
  readonly error?: string;
  /** Members of a JSON-RPC answer. */
  readonly jsonrpc?: string;
  readonly id?: Json;
}

export interface InjectedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly query?: Record<string, string | string[]>;
  readonly payload?: Json;
  readonly headers?: Record<string, string>;
}

/** One question to an operation of ours and the answer that was recorded. */
export interface Case {
  /** The file, with its folder. */
  readonly name: string;
  readonly source: 'http' | 'tonlib';
  readonly operation: string;
  readonly transport: 'get' | 'post' | 'rpc';
  /** What the question says, wherever it stands in the request. */
  readonly params: Readonly<Record<string, Json>>;
  readonly request: InjectedRequest;
  readonly want: Outcome;
  /** The part of our answer that is compared, where the recorded question asked for less. */
  readonly view?: (result: Json) => Json;
}

/** A recorded question that no operation answers. */
export interface NotOffered {
  readonly name: string;
  readonly function: string;
  readonly why: string;
}

export function isNotOffered(asked: Case | NotOffered): asked is NotOffered {
  return 'why' in asked;
}

/** The request of a POST to an operation. */
export function postTo(operation: string, params: Json): InjectedRequest {
  return { method: 'POST', url: `/api/v2/${operation}`, payload: params };
}
