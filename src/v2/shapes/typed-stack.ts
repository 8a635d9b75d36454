import Type from 'typebox';
import type { TypedEntry } from '../../chain/stack/typed-output.ts';
import { PlainText } from '../../http/serializer.ts';
import { BocText, TvmCell } from './cell-bytes.ts';

/** What a tuple or list holds: entries of all kinds again, written as they are. */
const Elements = () =>
  Type.Unsafe<readonly TypedEntry[]>(
    Type.Array(Type.Unknown(), { description: 'Entries of the same kinds, nested.' }),
  );

const Decimal = Type.Object({
  '@type': Type.Literal('tvm.numberDecimal'),
  number: PlainText({ pattern: '^-?[0-9]+$' }),
});

/** A stack in the typed dialect of v2. */
export const TypedStack = Type.Array(
  Type.Union([
    Type.Object({ '@type': Type.Literal('tvm.stackEntryNumber'), number: Decimal }),
    Type.Object({ '@type': Type.Literal('tvm.stackEntryCell'), cell: TvmCell }),
    Type.Object({
      '@type': Type.Literal('tvm.stackEntrySlice'),
      slice: Type.Object({ '@type': Type.Literal('tvm.slice'), bytes: BocText() }),
    }),
    Type.Object({
      '@type': Type.Literal('tvm.stackEntryTuple'),
      tuple: Type.Object({ '@type': Type.Literal('tvm.tuple'), elements: Elements() }),
    }),
    Type.Object({
      '@type': Type.Literal('tvm.stackEntryList'),
      list: Type.Object({ '@type': Type.Literal('tvm.list'), elements: Elements() }),
    }),
    Type.Object({ '@type': Type.Literal('tvm.stackEntryUnsupported') }),
  ]),
);
