import { type Builder, beginCell, Cell, Dictionary, type TupleItem } from '@ton/core';
import { methodIdByName } from '../../src/chain/contracts/method-ids.ts';

/** What a get-method does: returns a stack, also only where the first bit of the data is 0, throws, loops, or runs given code. */
export type MethodResult =
  | readonly TupleItem[]
  | { readonly returns: readonly TupleItem[]; readonly orLoops: true }
  | { readonly throws: number }
  | { readonly loops: true }
  | { readonly code: Cell };

const ID_BITS = 19;

/**
 * Code whose get-methods always return the same, in the form of compiled code: SETCP 0, a dictionary of methods by id,
 * DICTIGETJMPZ, and exit code 11 for other methods.
 */
export function getMethodCode(methods: Readonly<Record<string, MethodResult>>): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(ID_BITS), {
    // A method without instructions continues with its reference.
    serialize: (code: Cell, leaf: Builder) => void leaf.storeRef(code),
    parse: (leaf) => leaf.loadRef(),
  });
  for (const [name, answer] of Object.entries(methods)) dictionary.set(methodIdByName(name), codeOf(answer));
  return beginCell()
    .storeUint(0xff00, 16)
    .storeUint(0b1111010010100_1, 14)
    .storeUint(ID_BITS, 10)
    .storeRef(beginCell().storeDictDirect(dictionary))
    .storeUint(0xf4bc, 16)
    .storeUint(0xf2c80b, 24)
    .endCell();
}

/** AGAINEND, and NEWC, ENDC, DROP to repeat: a cell costs much gas and little time. */
const LOOP = beginCell().storeUint(0xebc8c930, 32).endCell();

function codeOf(answer: MethodResult): Cell {
  if ('throws' in answer)
    return beginCell().storeUint(0b1111001011000, 13).storeUint(answer.throws, 11).endCell();
  if ('loops' in answer) return LOOP;
  // PUSHCTR c4, CTOS, PLDU 1, PUSHREFCONT, IF.
  if ('orLoops' in answer)
    return beginCell()
      .storeUint(0xed44d0, 24)
      .storeUint(0xd70b00, 24)
      .storeUint(0x8a, 8)
      .storeRef(LOOP)
      .storeUint(0xde, 8)
      .storeRef(codeOf(answer.returns))
      .endCell();
  if ('code' in answer) return answer.code;
  return [dropArguments(), ...pushAll(answer)].reduceRight(
    (next, push) => push.storeRef(next).endCell(),
    Cell.EMPTY,
  );
}

/** DEPTH, DROPX: removes the arguments. */
function dropArguments(): Builder {
  return beginCell().storeUint(0x6865, 16);
}

/** One builder per instruction; its cell continues with its last reference. */
function pushAll(items: readonly TupleItem[]): Builder[] {
  return items.flatMap((item) => {
    if (item.type !== 'tuple') return [pushOne(item)];
    if (item.items.length > 15) throw new Error('Tuples are limited to 15 items');
    return [...pushAll(item.items), beginCell().storeUint(0x6f0, 12).storeUint(item.items.length, 4)];
  });
}

function pushOne(item: Exclude<TupleItem, { type: 'tuple' }>): Builder {
  switch (item.type) {
    case 'null':
      return beginCell().storeUint(0x6d, 8);
    case 'nan':
      return beginCell().storeUint(0x83ff, 16);
    case 'int':
      // PUSHINT of 8 * 30 + 19 bits; the first two repeat the sign.
      return beginCell()
        .storeUint(0x82, 8)
        .storeUint(30, 5)
        .storeInt(item.value < 0n ? -1 : 0, 2)
        .storeInt(item.value, 257);
    case 'cell':
      return beginCell().storeUint(0x88, 8).storeRef(item.cell);
    case 'slice':
      return beginCell().storeUint(0x89, 8).storeRef(item.cell);
    case 'builder':
      // PUSHREFSLICE, NEWC, STSLICE.
      return beginCell().storeUint(0x89c8ce, 24).storeRef(item.cell);
  }
}
