import { Address, beginCell, type Cell, contractAddress, Dictionary, type DictionaryValue } from '@ton/core';
import { type SigningKey, signWithSeed } from '../../lib/ed25519.ts';
import { compiledCode, externalMessage } from '../contracts/contract.ts';
import type { GenesisAccount } from './zero-state.ts';

/** Account of the config contract, in the masterchain as all here. */
export const CONFIG_ID: Buffer = Buffer.alloc(32, 0x55);

export const ELECTOR_ID: Buffer = Buffer.alloc(32, 0x33);

const MASTERCHAIN = -1;
export const CONFIG_CONTRACT = new Address(MASTERCHAIN, CONFIG_ID);
const TON = 10n ** 9n;

const SYSTEM_CONTRACT = { workchain: MASTERCHAIN, balance: 10n * TON };

/** The config contract; `config` is the root of the config dictionary. It runs on tocks. */
export function configAccount(config: Cell, adminPublicKey: Buffer): GenesisAccount {
  // Nodes read the config from the first reference.
  const data = beginCell().storeRef(config).storeUint(0, 32).storeBuffer(adminPublicKey, 32).endCell();
  const code = compiledCode('config-contract');
  return { ...SYSTEM_CONTRACT, id: CONFIG_ID, code, data, special: { tick: false, tock: true } };
}

/** The elector; it runs on ticks. `currentSet` is the hash of parameter 34, a set that was not elected. */
export function electorAccount(currentSet: Buffer): GenesisAccount {
  // No election, no credits, no past elections, nothing unallocated, no active election.
  const data = beginCell()
    .storeUint(0, 3)
    .storeCoins(0)
    .storeUint(0, 32)
    .storeBuffer(currentSet, 32)
    .endCell();
  const code = compiledCode('elector');
  return { ...SYSTEM_CONTRACT, id: ELECTOR_ID, code, data, special: { tick: true, tock: false } };
}

export function tickTockAccount(): GenesisAccount {
  const init = {
    code: compiledCode('tick-tock'),
    data: beginCell().storeUint(0, 64).storeUint(0, 64).endCell(),
    special: { tick: true, tock: true },
  };
  return { workchain: MASTERCHAIN, id: contractAddress(MASTERCHAIN, init).hash, balance: TON, ...init };
}

export interface ConfigChange {
  readonly admin: Pick<SigningKey, 'seed'>;
  /** Result of the contract's get-method `seqno`. */
  readonly seqno: number;
  /** Unix seconds. */
  readonly validUntil: number;
  /** Values by parameter number, undefined to remove one; or a whole dictionary that replaces the old one. */
  readonly change: ReadonlyMap<number, Cell | undefined> | { readonly config: Cell };
}

const SET_PARAM = 0x43665021;
const SET_PARAMS = 0x43666773;
const REPLACE_CONFIG = 0x43666744;

const MAYBE_CELL: DictionaryValue<Cell | null> = {
  serialize: (value, builder) => builder.storeMaybeRef(value),
  parse: (slice) => slice.loadMaybeRef(),
};

/** Signs a config change: the cell of an external message to the config contract. */
export function configChangeMessage({ admin, seqno, validUntil, change }: ConfigChange): Cell {
  const { op, what } = orderOf(change);
  const order = beginCell().storeUint(op, 32).storeUint(seqno, 32).storeUint(validUntil, 32);
  order.storeSlice(what.asSlice());
  const signature = signWithSeed(admin.seed, order.endCell().hash());
  const body = beginCell().storeBuffer(signature).storeBuilder(order).endCell();
  return externalMessage({ address: CONFIG_CONTRACT }, body);
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
