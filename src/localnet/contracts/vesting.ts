import { type Address, type Builder, beginCell, type Cell, type MessageRelaxed, SendMode } from '@ton/core';
import { beginBody, type ContractState, contractState, messageCell } from './contract.ts';
import { walletCode } from './wallets.ts';

const VESTING_WALLET_ID = 0x10c;

/** Times are seconds; the cliff and the whole are multiples of the period. */
interface VestingOptions {
  readonly publicKey: Buffer;
  readonly walletId?: number;
  /** Unix time. */
  readonly startTime: number;
  readonly totalDuration: number;
  readonly unlockPeriod: number;
  readonly cliffDuration: number;
  readonly totalAmount: bigint;
  /** Sender of the locked amount; the only one who adds to the whitelist. */
  readonly sender: Address;
  /** Receiver of the unlocked amount. */
  readonly owner: Address;
}

/** A vesting wallet; indexes show it when its whitelist has an address. */
export function vestingWallet(options: VestingOptions): ContractState {
  const terms = beginCell()
    .storeUint(options.startTime, 64)
    .storeUint(options.totalDuration, 32)
    .storeUint(options.unlockPeriod, 32)
    .storeUint(options.cliffDuration, 32)
    .storeCoins(options.totalAmount)
    .storeAddress(options.sender)
    .storeAddress(options.owner);
  const data = beginCell()
    .storeUint(0, 32)
    .storeUint(options.walletId ?? VESTING_WALLET_ID, 32)
    .storeBuffer(options.publicKey, 32)
    // Empty whitelist.
    .storeBit(0)
    .storeRef(terms)
    .endCell();
  return contractState(walletCode('vesting'), data);
}

/** Adds to the whitelist of a vesting wallet: locked funds may be sent to these addresses, for staking. */
export function addToWhitelist(addresses: readonly [Address, ...Address[]], queryId?: bigint): Cell {
  const body = beginBody(0x7258a69b, queryId).storeAddress(addresses[0]);
  // Each address is in the cell behind the one before.
  const rest = addresses.slice(1).reduceRight<Builder | undefined>((next, address) => {
    const link = beginCell().storeAddress(address);
    return next === undefined ? link : link.storeRef(next);
  }, undefined);
  return (rest === undefined ? body : body.storeRef(rest)).endCell();
}

/** Makes a vesting wallet send a message for its owner; while funds are locked the mode has to be 3. */
export function vestingSend(
  message: MessageRelaxed,
  mode: number = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
  queryId?: bigint,
): Cell {
  return beginBody(0xa7733acd, queryId).storeUint(mode, 8).storeRef(messageCell(message)).endCell();
}
