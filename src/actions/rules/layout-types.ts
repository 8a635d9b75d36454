import type { Slice } from '../../chain/boc/slice.ts';

// The types of the fields of a table, read from its text in the notation of `chain/messages/notation.ts`.

/** Names of the messages of a table. */
export type MessageNames<
  Table extends string,
  Names extends string = never,
> = Table extends `${infer Entry};${infer Rest}`
  ? MessageNames<Rest, Names | MessageName<Trim<Entry>>>
  : Names;

type MessageName<Entry extends string> = Entry extends `${number} ${string} ${infer Name} = ${string}`
  ? Name
  : Entry extends `${number} ${string} ${infer Name}`
    ? Name
    : never;

/** The fields of the first message with a name. */
export type MessageFields<
  Table extends string,
  Name extends string,
> = Table extends `${string} ${Name} = ${infer Parts};${string}` ? RecordOf<Parts, Table> : RecordView<never>;

/** The fields of the first message with an opcode. */
export type FieldsByOpcode<
  Table extends string,
  Opcode extends string,
> = Table extends `${string} ${Opcode} ${string} = ${infer Parts};${string}`
  ? RecordOf<Parts, Table>
  : RecordView<never>;

/** A decoded record. Every field is read when it is asked for, so what follows may be missing. */
export type RecordOf<Parts extends string, Table extends string> = FieldsOf<Fields<Parts>, Table> &
  RecordView<NameOf<Fields<Parts>>>;

/** Every record has these beside its fields. */
export interface RecordView<Name extends string> {
  /** A new slice of the whole record. */
  slice(): Slice;
  /** A new slice that starts with this field. */
  sliceAt(name: Name): Slice;
  /** Checks that everything up to this field is there. */
  through(name: Name): this;
}

type Trim<Text extends string> = Text extends `${' ' | '\n'}${infer Rest}` ? Trim<Rest> : Text;

/** The fields as a union of texts, each without the spaces before it. */
type Fields<
  Parts extends string,
  Before extends string = '',
  All extends string = never,
> = Parts extends `${infer Head},${infer Rest}`
  ? IsWhole<`${Before}${Head}`> extends true
    ? Fields<Rest, '', All | Trim<`${Before}${Head}`>>
    : Fields<Rest, `${Before}${Head},`, All>
  : All | Trim<`${Before}${Parts}`>;

/** Whether the commas of a text are all inside of brackets. */
type IsWhole<Text extends string> = Closes<Text, '{', '}'> extends true ? Closes<Text, '<', '>'> : false;

type Closes<
  Text extends string,
  Open extends string,
  Close extends string,
> = Text extends `${string}${Open}${infer Rest}`
  ? Rest extends `${string}${Close}${infer After}`
    ? Closes<After, Open, Close>
    : false
  : true;

type NameOf<Field extends string> = Field extends `${infer Name} ${string}` ? Name : never;

/** The fields as properties. Those of records without a name are properties of the record around them. */
type FieldsOf<Field extends string, Table extends string> = {
  readonly [One in Field as NameOf<One>]: One extends `${string} ${infer Layout}`
    ? ValueOf<Layout, Table>
    : never;
} & Joined<Unnamed<Field, Table>>;

type Unnamed<Field extends string, Table extends string> = Field extends
  | `${'^' | ''}@${string}`
  | `^{${string}`
  ? { readonly record: Omit<ValueOf<Field, Table>, '@type' | keyof RecordView<never>> }
  : never;

/** The intersection of the records in a union. */
type Joined<Union> = [Union] extends [never]
  ? unknown
  : (Union extends { readonly record: infer One } ? (one: One) => void : never) extends (
        all: infer All,
      ) => void
    ? All
    : never;

type ValueOf<Layout extends string, Table extends string> = Layout extends `${infer Inner}?`
  ? ValueOf<Inner, Table> | undefined
  : Layout extends 'coins' | 'grams' | 'vu16' | 'vu32'
    ? bigint
    : Layout extends 'bool'
      ? boolean
      : Layout extends 'addr' | 'addrInt'
        ? string | null
        : Layout extends `${'u' | 'i'}${infer Bits extends number}`
          ? NumberOf<Bits>
          : Layout extends `b${number}`
            ? Buffer
            : Layout extends `dict<${string}`
              ? Slice | undefined
              : Layout extends `either<${infer Left}, ${string}>`
                ? ValueOf<Left, Table>
                : Layout extends `^{${infer Parts}}`
                  ? RecordOf<Parts, Table>
                  : Layout extends `@${infer Name}` | `^@${infer Name}`
                    ? FormsOf<Name, Table, Table>
                    : Slice;

// biome-ignore format: a table
type SmallWidth = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31 | 32;
type NumberOf<Bits extends number> = Bits extends SmallWidth ? number : bigint;

/** The constructors of a type as a union, or nothing but the slice for a type of another table. */
export type FormsOf<
  Name extends string,
  Rest extends string,
  Table extends string,
> = Rest extends `${string}\n  ${Name} ${infer Form};${infer More}`
  ? FormOf<Form, Table> | FormsOf<Name, `\n${More}`, Table>
  : Rest extends Table
    ? RecordView<never>
    : never;

type FormOf<Form extends string, Table extends string> = Form extends `${infer Head} = ${infer Parts}`
  ? RecordOf<Parts, Table> & { readonly '@type': Word<Head> }
  : RecordView<never> & { readonly '@type': Word<Form> };

type Word<Head extends string> = Head extends `${infer First} ${string}` ? First : Head;
