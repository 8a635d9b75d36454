import { type Address, beginCell, type Cell } from '@ton/core';
import {
  beginBody,
  type ContractState,
  compiledCode,
  contractState,
  type ForwardOptions,
  storeForward,
} from './contract.ts';

/** The code of a jetton wallet. */
export function jettonWalletCode(): Cell {
  return compiledCode('jetton-wallet');
}

/** Minter of a new jetton; its wallets may use a library cell as code. */
export function jettonMinter(options: {
  readonly admin: Address | null;
  readonly content: Cell;
  readonly walletCode?: Cell;
}): ContractState {
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(options.admin)
    .storeAddress(null)
    .storeRef(options.content)
    .storeRef(options.walletCode ?? jettonWalletCode())
    .endCell();
  return contractState(compiledCode('jetton-minter'), data);
}

/** Jetton wallet of an owner. */
export function jettonWallet(options: {
  readonly minter: Address;
  readonly owner: Address;
  readonly walletCode?: Cell;
}): ContractState {
  const data = beginCell().storeCoins(0).storeAddress(options.owner).storeAddress(options.minter).endCell();
  return contractState(options.walletCode ?? jettonWalletCode(), data);
}

/** Mints jettons; `ton` goes with them to the wallet. */
export function mintJettons(
  options: ForwardOptions & {
    readonly queryId?: bigint;
    readonly to: Address;
    readonly amount: bigint;
    readonly ton: bigint;
    readonly responseTo?: Address;
  },
): Cell {
  const transfer = beginBody(0x178d4519, options.queryId)
    .storeCoins(options.amount)
    .storeAddress(null)
    .storeAddress(options.responseTo)
    .store(storeForward(options));
  return beginBody(0x642b7d07, options.queryId)
    .storeAddress(options.to)
    .storeCoins(options.ton)
    .storeRef(transfer.endCell())
    .endCell();
}

/** Transfers jettons. */
export function transferJettons(
  options: ForwardOptions & {
    readonly queryId?: bigint;
    readonly to: Address;
    readonly amount: bigint;
    readonly responseTo?: Address;
    readonly customPayload?: Cell;
  },
): Cell {
  return beginBody(0x0f8a7ea5, options.queryId)
    .storeCoins(options.amount)
    .storeAddress(options.to)
    .storeAddress(options.responseTo)
    .storeMaybeRef(options.customPayload)
    .store(storeForward(options))
    .endCell();
}

/** Burns jettons. */
export function burnJettons(options: {
  readonly queryId?: bigint;
  readonly amount: bigint;
  readonly responseTo?: Address;
}): Cell {
  return beginBody(0x595f07bc, options.queryId)
    .storeCoins(options.amount)
    .storeAddress(options.responseTo)
    .storeMaybeRef(null)
    .endCell();
}
