import { type Address, beginCell, type Cell } from '@ton/core';
import {
  beginBody,
  type ContractState,
  compiledCode,
  contractState,
  storeForward,
  type TransferOptions,
} from './contract.ts';

export function jettonWalletCode(): Cell {
  return compiledCode('jetton-wallet');
}

/** Minter of a new jetton; its wallets may use a library cell as code. */
export function jettonMinter(options: {
  readonly admin: Address | null;
  readonly content: Cell;
  readonly walletCode?: Cell;
}): ContractState {
  const { admin, content, walletCode = jettonWalletCode() } = options;
  const data = beginCell().storeCoins(0).storeAddress(admin).storeAddress(null);
  return contractState(compiledCode('jetton-minter'), data.storeRef(content).storeRef(walletCode).endCell());
}

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
  options: Omit<TransferOptions, 'customPayload'> & { readonly amount: bigint; readonly ton: bigint },
): Cell {
  const { queryId, to, amount, ton, responseTo } = options;
  const transfer = beginBody(0x178d4519, queryId).storeCoins(amount).storeAddress(null);
  transfer.storeAddress(responseTo).store(storeForward(options));
  return beginBody(0x642b7d07, queryId).storeAddress(to).storeCoins(ton).storeRef(transfer).endCell();
}

export function transferJettons(options: TransferOptions & { readonly amount: bigint }): Cell {
  return beginBody(0x0f8a7ea5, options.queryId)
    .storeCoins(options.amount)
    .storeAddress(options.to)
    .storeAddress(options.responseTo)
    .storeMaybeRef(options.customPayload)
    .store(storeForward(options))
    .endCell();
}

export function burnJettons({
  queryId,
  amount,
  responseTo,
}: Pick<TransferOptions, 'queryId' | 'responseTo'> & { readonly amount: bigint }): Cell {
  const body = beginBody(0x595f07bc, queryId).storeCoins(amount);
  return body.storeAddress(responseTo).storeMaybeRef(null).endCell();
}
