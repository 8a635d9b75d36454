import {
  Address,
  beginCell,
  type Cell,
  Dictionary,
  type DictionaryValue,
  external,
  storeMessage,
} from '@ton/core';
import { type SigningKey, signWithSeed } from './signing-keys.ts';
import { CONFIG_ID } from './special-accounts.ts';

/** An order to the configuration contract. */
export interface ConfigChange {
  readonly admin: Pick<SigningKey, 'seed'>;
  /** What the contract's get-method `seqno` gives. */
  readonly seqno: number;
  /** Unix seconds. */
  readonly validUntil: number;
  /** Values by the numbers of parameters, undefined to remove one; or a whole dictionary in place of the old one. */
  readonly change: ReadonlyMap<number, Cell | undefined> | { readonly config: Cell };
}

const SET_PARAM = 0x43665021;
const SET_PARAMS = 0x43666773;
const REPLACE_CONFIG = 0x43666744;

const MAYBE_CELL: DictionaryValue<Cell | null> = {
  serialize: (value, builder) => builder.storeMaybeRef(value),
  parse: (slice) => slice.loadMaybeRef(),
};

/** Signs a change of the configuration: the cell of an external message to the configuration contract. */
export function configChangeMessage({ admin, seqno, validUntil, change }: ConfigChange): Cell {
  const { op, what } = orderOf(change);
  const order = beginCell().storeUint(op, 32).storeUint(seqno, 32).storeUint(validUntil, 32);
  order.storeSlice(what.asSlice());
  const signature = signWithSeed(admin.seed, order.endCell().hash());
  const body = beginCell().storeBuffer(signature).storeBuilder(order).endCell();
  const message = external({ to: new Address(-1, CONFIG_ID), body });
  return beginCell().store(storeMessage(message)).endCell();
}

function orderOf(change: ConfigChange['change']): { op: number; what: Cell } {
  if ('config' in change) return { op: REPLACE_CONFIG, what: beginCell().storeRef(change.config).endCell() };
  const [[index, value] = [], ...others] = change;
  if (index !== undefined && value !== undefined && others.length === 0)
    return { op: SET_PARAM, what: beginCell().storeInt(index, 32).storeRef(value).endCell() };
  const changes = Dictionary.empty(Dictionary.Keys.Int(32), MAYBE_CELL);
  for (const [key, cell] of change) changes.set(key, cell ?? null);
  return { op: SET_PARAMS, what: beginCell().storeDict(changes).endCell() };
}
