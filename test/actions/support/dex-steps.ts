import { Address, type Builder, beginCell, type Cell } from '@ton/core';
import { account, op, type Step } from './trace-builder.ts';

/** Accounts by name. */
export function accountsNamed<Name extends string>(...names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, account(name)])) as Record<Name, string>;
}

/** An address for a cell builder. */
export function to(address: string): Address {
  return Address.parseRaw(address);
}

/** A cell with an opcode and the fields that a function adds. */
export function payload(opcode: number, add: (cell: Builder) => Builder = (cell) => cell): Cell {
  return add(op(opcode)).endCell();
}

/** An outgoing external message. */
export function log(body: Builder): Step {
  return { to: null, body };
}

/** TON deposited into a pTON wallet, which notifies its owner. */
export function ptonIn(
  wallet: string,
  router: { readonly owner: string; readonly user: string },
  amount: bigint,
  forward: Cell,
  sends: readonly Step[],
): Step {
  const refund = to(router.user);
  const notification = op(0x7362d09c, 7)
    .storeCoins(amount)
    .storeAddress(refund)
    .storeBit(1)
    .storeRef(forward);
  return {
    to: wallet,
    value: amount + 300n,
    body: op(0x01f3835d, 7).storeCoins(amount).storeAddress(refund).storeBit(1).storeRef(forward),
    sends: [{ to: router.owner, body: notification, sends }],
  };
}

/** TON paid out from a pTON wallet. */
export function ptonOut(wallet: string, receiver: string, amount: bigint): Step {
  const address = to(receiver);
  const request = op(0x0f8a7ea5, 7)
    .storeCoins(amount)
    .storeAddress(address)
    .storeAddress(address)
    .storeBit(0)
    .storeCoins(0)
    .storeBit(0);
  const paid = op(0x01f3835d, 7).storeCoins(amount).storeAddress(address).storeBit(0);
  return { to: wallet, body: request, sends: [{ to: receiver, value: amount, body: paid }] };
}

/** An asset with a tag of the given number of bits; without a master for TON. */
export function storeAsset(cell: Builder, tagBits: number, master?: string): Builder {
  if (!master) return cell.storeUint(0, tagBits);
  const { hash, workChain } = to(master);
  return cell.storeUint(1, tagBits).storeInt(workChain, 8).storeBuffer(hash);
}

/** A cell whose content does not matter. */
export const EMPTY: Cell = beginCell().endCell();
