import type { HttpFile, Json, TonlibFile } from './recorded-files.ts';

/** The compared part of a response: everything except `ok`, `code` and `@extra`, which follow from it or vary. */
export interface Outcome {
  readonly status: number;
  readonly result?: Json;
  readonly error?: string;
  /** Members of a JSON-RPC response. */
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

/** A request to one of our operations and the recorded response. */
export interface Case {
  /** The file, with its folder. */
  readonly name: string;
  readonly source: 'http' | 'tonlib';
  readonly operation: string;
  readonly transport: 'get' | 'post' | 'rpc';
  /** The parameters, wherever they are in the request. */
  readonly params: Readonly<Record<string, Json>>;
  readonly request: InjectedRequest;
  readonly want: Outcome;
  /** The compared part of our result, if the recorded call returned less. */
  readonly view?: (result: Json) => Json;
}

/** A recorded call without a corresponding operation. */
export interface NotOffered {
  readonly name: string;
  readonly function: string;
  readonly why: string;
}

export function isNotOffered(testCase: Case | NotOffered): testCase is NotOffered {
  return 'why' in testCase;
}

/** The request of a POST to an operation. */
export function postTo(operation: string, params: Json): InjectedRequest {
  return { method: 'POST', url: `/api/v2/${operation}`, payload: params };
}

/** The recording, as input for rules. */
export interface Recorded {
  readonly http: ReadonlyMap<string, HttpFile>;
  readonly tonlib: ReadonlyMap<string, TonlibFile>;
  /** The recorded outcome of another case. */
  readonly want: (name: string) => Outcome;
}

/**
 * An intended difference from a recorded response, or one that time explains: it turns the recorded outcome into the
 * expected one. It never sees our response.
 */
export interface Rule {
  readonly name: string;
  /** `time`: the recorded response is of a later block than the last one of the recording. */
  readonly kind: 'intended' | 'time';
  /** The section of the contract. */
  readonly where: string;
  readonly why: string;
  /** The expected outcome; undefined if the rule does not apply. */
  readonly change: (want: Outcome, testCase: Case, recorded: Recorded) => Outcome | undefined;
}
