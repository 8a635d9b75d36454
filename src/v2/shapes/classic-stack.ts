import Type from 'typebox';
import type { ClassicEntry } from '../../chain/stack/classic-output.ts';

/** A stack in the classic dialect of v2. The serializer knows no pairs of different types, so entries are written as they are. */
export const ClassicStack = Type.Unsafe<readonly ClassicEntry[]>(
  Type.Array(Type.Unknown(), {
    description:
      'Entries `["num", "0x2a"]`, `["cell", {"bytes", "object"}]` (slices too), `["tuple", {"@type": "tvm.tuple", "elements"}]`, `["list", {"@type": "tvm.list", "elements"}]` (null is an empty list), `["unsupported", ""]`; elements are typed as in runGetMethodStd.',
  }),
);
