import { beginCell, type Cell, external, type MessageRelaxed, storeMessage } from '@ton/core';
import type { ContractState } from '../contracts/contract-state.ts';
import type { WalletVersion } from '../contracts/wallet.ts';
import { walletTransfer } from '../contracts/wallet-transfer.ts';
import { type DemoChain, dataOf } from './demo-chain.ts';
import type { DemoWallet } from './demo-wallet.ts';
import type { Act } from './story.ts';

/** How long a message from outside may wait for a block. */
export const VALID_SECONDS = 600;

/**
 * What a wallet does with a message of a given number, its first being 0. The number makes that it happens once: a
 * wallet that has counted further has done it, however the demo was interrupted.
 */
export function walletAct(
  wallet: DemoWallet,
  seqno: number,
  what: string,
  messages: readonly MessageRelaxed[],
): Act {
  const { version, keys, address, init } = wallet;
  const max = maxMessages(version);
  if (messages.length > max)
    throw new Error(`${wallet.name} sends ${messages.length} messages at once, of at most ${max}`);
  return {
    what,
    isDone: (chain) => seqnoOf(chain, wallet) > seqno,
    message(chain) {
      const { secretKey } = keys;
      const validUntil = chain.now() + VALID_SECONDS;
      const body = walletTransfer({ version, secretKey, seqno, messages, validUntil });
      return externalMessage({ address, init: seqno === 0 ? init : undefined }, body);
    },
  };
}

/** The number that a wallet expects next: 0 before it is deployed. */
export function seqnoOf(
  chain: DemoChain,
  { address, version }: Pick<DemoWallet, 'address' | 'version'>,
): number {
  const data = dataOf(chain, address)?.beginParse();
  // The first bit of v5 says that signatures are allowed.
  return data?.skip(version === 'v5r1' ? 1 : 0).loadUint(32) ?? 0;
}

/** The cell of a message from outside, with the first state of a contract that is not there yet. */
export function externalMessage(
  { address, init }: { address: ContractState['address']; init?: ContractState['init'] | undefined },
  body: Cell,
): Cell {
  return beginCell()
    .store(storeMessage(external({ to: address, init, body })))
    .endCell();
}

function maxMessages(version: WalletVersion): number {
  if (version === 'v5r1') return 255;
  return version.startsWith('v1') ? 1 : 4;
}
