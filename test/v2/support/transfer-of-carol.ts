import { beginCell, type Cell, external, internal, storeMessage, toNano } from '@ton/core';
import { textComment } from '../../../src/localnet/contracts/contract.ts';
import { walletTransfer } from '../../../src/localnet/contracts/wallets.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';

const FOREVER = 0xffffffff;

/** A transfer from carol to bob after all transfers of the demo; different for every turn. */
export function transferOfCarol(turn: number): Cell {
  const { carol, bob } = openDemoWallets();
  return walletTransfer({
    version: carol.version,
    secretKey: carol.keys.secretKey,
    seqno: 3,
    validUntil: FOREVER - turn,
    messages: [
      internal({ to: bob.address, value: toNano('0.1'), bounce: false, body: textComment('Hello') }),
    ],
  });
}

/** The external message with the transfer. */
export function messageOfCarol(turn: number): Cell {
  const { carol } = openDemoWallets();
  const message = external({ to: carol.address, body: transferOfCarol(turn) });
  return beginCell().store(storeMessage(message)).endCell();
}
