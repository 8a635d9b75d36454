import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import { methodIdByName } from '../../../src/chain/contracts/method-ids.ts';
import { type ContractState, contractState } from '../../../src/localnet/contracts/contract.ts';

/** A step of a get-method: pushes a number, null, a cell or a slice, or runs code in hex. */
export type Step = bigint | null | Cell | { readonly slice: Cell } | { readonly code: string };

/** Drops an argument. */
export const DROP: Step = { code: '30' };
/** Pushes the contract's own address. */
export const OWN_ADDRESS: Step = { code: 'f828' };
/** Pushes the hash of the contract's own address as a number. */
export const OWN_ID: Step = { code: 'f828fa4431' };
/** Turns the number on the stack into a basechain address. */
export const ADDRESS_OF_ID: Step = { code: '74c8cb027001cb07cbffc9d0' };
/** Throws 63. */
export const THROW: Step = { code: 'f23f' };

const METHOD_BITS = 19;
const RECEIVE = 0;
// Selects the method by the id on the stack, or throws 11.
const SELECTOR = 'ff00f4a413f4bcf2c80b';

/** A contract that accepts every message and has scripted get-methods. */
export function scriptedContract(methods: Readonly<Record<string, readonly Step[]>>): ContractState {
  const table = Dictionary.empty(Dictionary.Keys.Int(METHOD_BITS), {
    serialize: (code: Builder, builder: Builder) => void builder.storeBuilder(code),
    parse: () => {
      throw new Error('nobody reads it');
    },
  });
  table.set(RECEIVE, beginCell());
  for (const [name, steps] of Object.entries(methods)) table.set(methodIdByName(name), codeOf(steps));
  const code = beginCell()
    .storeBuffer(Buffer.from(SELECTOR, 'hex'))
    .storeRef(beginCell().storeDictDirect(table).endCell())
    .endCell();
  return contractState(code, beginCell().endCell());
}

function codeOf(steps: readonly Step[]): Builder {
  const code = beginCell();
  for (const step of steps) {
    if (step === null) code.storeUint(0x6d, 8);
    else if (typeof step === 'bigint') storeNumber(code, step);
    else if ('code' in step) code.storeBuffer(Buffer.from(step.code, 'hex'));
    else if ('slice' in step) code.storeUint(0x89, 8).storeRef(step.slice);
    else code.storeUint(0x88, 8).storeRef(step);
  }
  return code;
}

/** PUSHINT in its longest form, which fits every number. */
function storeNumber(code: Builder, value: bigint): void {
  code
    .storeUint(0x82, 8)
    .storeUint(30, 5)
    .storeInt(value, 8 * 30 + 19);
}
