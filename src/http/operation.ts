import type { Static, TSchema } from 'typebox';

/** Where a parameter's values came from: the query string, or a JSON body (POST and JSON-RPC). */
export type ParameterOrigin = 'query' | 'body';

/** One use of a parameter: its name and all values given for it (none when it is absent). */
export interface ParameterInput {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly origin: ParameterOrigin;
}

/**
 * A parameter kind: the schema that documents it, and the reader that turns what was sent into a value
 * or throws a `Failure` with the exact wording of the contract. No validator answers before it.
 */
export interface Parameter<T> {
  readonly schema: TSchema;
  readonly description: string;
  readonly required: boolean;
  readonly read: (input: ParameterInput) => T;
}

// biome-ignore lint/suspicious/noExplicitAny: a set holds parameters of every type
export type ParameterSet = Readonly<Record<string, Parameter<any>>>;

export type ParameterValues<P extends ParameterSet> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** A worked call: tests run it on every transport, the docs page shows it. */
export type OperationExample<R> = {
  readonly title: string;
  readonly params: Readonly<Record<string, unknown>>;
} & (
  | { readonly result: R }
  | {
      /** The values differ from chain to chain and from block to block; what counts is the form. */
      readonly varies: true;
      readonly result: unknown;
    }
  | {
      /** The refusal expected; the text may differ between a query and a body. */
      readonly failure: {
        readonly code: number;
        readonly text: string | Readonly<Record<ParameterOrigin, string>>;
      };
    }
);

/** A refusal worth documenting beside the ones every operation shares. */
export interface OperationError {
  readonly code: number;
  readonly when: string;
}

/** How long an answer may be reused; the caches read it. */
export type CacheRule = 'none' | 'head' | 'immutable';

export interface OperationDefinition<Call, P extends ParameterSet, R extends TSchema> {
  /** Wire name; also the last part of the path and the metrics label. */
  readonly name: string;
  /** Older or alternative names that reach the same operation. */
  readonly aliases?: readonly string[];
  /** HTTP methods that the contract lists. */
  readonly methods: readonly ('GET' | 'POST')[];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: P;
  /** Body properties that are not parameters are ignored instead of refused. */
  readonly ignoreUnknownProperties?: boolean;
  readonly result: R;
  readonly errors?: readonly OperationError[];
  readonly cache: CacheRule;
  readonly examples: readonly OperationExample<Static<R>>[];
  readonly handler: (params: ParameterValues<P>, call: Call) => Promise<Static<R>> | Static<R>;
}

/** An operation whose parameter and result types have been forgotten, as lists hold them. */
export interface Operation<Call> extends Omit<OperationDefinition<Call, ParameterSet, TSchema>, 'examples'> {
  readonly examples: readonly OperationExample<unknown>[];
}

/**
 * Declares an operation of one interface. Routes, validation, serialisation, OpenAPI, docs, metric labels
 * and the contract test are all derived from the returned value.
 */
export function defineOperation<Call, P extends ParameterSet, R extends TSchema>(
  definition: OperationDefinition<Call, P, R>,
): Operation<Call> {
  return definition as unknown as Operation<Call>;
}
