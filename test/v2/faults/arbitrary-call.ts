import fc from 'fast-check';
import { v2Operations } from '../../../src/v2/operations.ts';
import { type Transport, transportsOf } from '../support/transports.ts';
import { arbitraryJson, arbitraryName, arbitraryText } from './arbitrary-json.ts';

/** A call of an operation: a valid one with some changed parameters. */
export interface ArbitraryCall {
  readonly name: string;
  readonly transport: Transport;
  /** Which valid call it is based on; undefined for none. */
  readonly base: number | undefined;
  readonly changes: readonly { readonly name: string; readonly change: Change }[];
  /** JSON to send instead of all parameters. */
  readonly instead: string | undefined;
}

/** The replacement of a valid value, in a query string or in JSON, or how the valid value is mutated. */
type Change =
  | { readonly kind: 'replace'; readonly text: string; readonly json: string }
  | { readonly kind: 'twist'; readonly twist: keyof typeof TWISTS; readonly at: number }
  | { readonly kind: 'remove' };

/** Mutations that make a value slightly wrong: from its text, the value itself, and a number. */
const TWISTS = {
  cut: (text: string, _value: unknown, at: number) => text.slice(0, at % (text.length + 1)),
  double: (text: string) => text + text,
  character: (text: string, _value: unknown, at: number) => {
    const place = at % (text.length + 1);
    return `${text.slice(0, place)}${String.fromCharCode(33 + (at % 94))}${text.slice(place + 1)}`;
  },
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  number: (text: string, _value: unknown, at: number) => (Number.isNaN(Number(text)) ? at : Number(text)),
  text: (text: string) => text,
  negative: (text: string, value: unknown) => (typeof value === 'number' ? -value : `-${text}`),
  near: (text: string, value: unknown, at: number) =>
    typeof value === 'number' ? value + (at % 5) - 2 : ` ${text}`,
  list: (_text: string, value: unknown) => [value],
  twice: (_text: string, value: unknown) => (Array.isArray(value) ? [...value, ...value] : [value, value]),
} as const;

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('replace'), text: arbitraryText, json: arbitraryJson }),
  fc.record({
    kind: fc.constant('twist'),
    twist: fc.constantFrom(...(Object.keys(TWISTS) as (keyof typeof TWISTS)[])),
    at: fc.nat(),
  }),
  fc.constant({ kind: 'remove' }),
);

/** A mutated valid value. */
export function mutate(value: unknown, twist: keyof typeof TWISTS, at: number): unknown {
  return TWISTS[twist](typeof value === 'string' ? value : JSON.stringify(value), value, at);
}

/** Calls of all operations, by all their names and transports. */
export const arbitraryCall: fc.Arbitrary<ArbitraryCall> = fc
  .constantFrom(
    ...v2Operations.flatMap(({ name, aliases = [], parameters, methods }) =>
      [name, ...aliases].map((one) => ({ name: one, parameters: Object.keys(parameters), methods })),
    ),
  )
  .chain(({ name, parameters, methods }) => {
    const known = parameters.length === 0 ? arbitraryName : fc.constantFrom(...parameters);
    return fc.record({
      name: fc.constant(name),
      transport: fc.constantFrom(...transportsOf({ methods })),
      base: mostly(fc.nat(), fc.constant(undefined)),
      changes: fc.array(fc.record({ name: mostly(known, arbitraryName), change }), { maxLength: 3 }),
      instead: mostly(fc.constant(undefined), arbitraryJson),
    });
  });

function mostly<A, B>(often: fc.Arbitrary<A>, seldom: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof({ weight: 15, arbitrary: often }, { weight: 1, arbitrary: seldom });
}
