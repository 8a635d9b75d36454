/** A number that is known when it is needed: digits, a parameter or a field read before, or made of those. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'sum' | 'product';
      readonly left: Expression;
      readonly right: Expression;
    };

/** When a field is there: a field read before is not zero, or one bit of it is not. */
export interface Condition {
  readonly name: string;
  readonly bit: number | undefined;
}

/** What must hold for a layout to fit. */
export interface Constraint {
  readonly kind: 'constraint';
  readonly left: Expression;
  readonly order: '<=' | '>=' | '=';
  readonly right: Expression;
}

/** A part of a record. */
export interface Field {
  readonly kind: 'field';
  /** Empty where there is none. */
  readonly name: string;
  readonly layout: Layout;
  readonly when: Condition | undefined;
}

export type RecordPart = Field | Constraint;

/** How a value lies in a cell. */
export type Layout =
  | { readonly kind: 'uint' | 'int' | 'bits'; readonly bits: number }
  | { readonly kind: 'bitsOf'; readonly length: Expression }
  /** A number of whole bytes, after its length in bytes. */
  | { readonly kind: 'varUint'; readonly lengthBits: number }
  /** The same with a name around it. */
  | { readonly kind: 'amount'; readonly name: 'nanocoins' | 'nanograms' }
  /** `rest`: all that is left, as a cell of its own; `never`: fits nothing. */
  | { readonly kind: 'bool' | 'bit' | 'rest' | 'snake' | 'never' }
  | { readonly kind: 'address'; readonly allowed: 'any' | 'internal' | 'external' }
  | { readonly kind: 'ref' | 'maybe'; readonly of: Layout }
  | { readonly kind: 'either'; readonly left: Layout; readonly right: Layout }
  /** `dict` may be empty and has its root in a reference; `tree` is the root itself. */
  | { readonly kind: 'dict' | 'tree'; readonly keyBits: number; readonly value: Layout }
  | { readonly kind: 'record'; readonly parts: readonly RecordPart[] }
  | { readonly kind: 'named'; readonly name: string; readonly arguments: readonly Argument[] };

/** What a named type is used with. */
export type Argument = Layout | Expression;

const EXPRESSIONS: ReadonlySet<string> = new Set(['number', 'name', 'sum', 'product']);

/** Tells the two kinds of arguments apart. */
export function isExpression(argument: Argument): argument is Expression {
  return EXPRESSIONS.has(argument.kind);
}
