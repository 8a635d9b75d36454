import { Address, beginCell, type Cell, external, internal, storeMessage, toNano } from '@ton/core';
import type { Localnet } from '../../src/localnet/chain/localnet.ts';
import type { Wallets } from '../../src/localnet/chain/start-localnet.ts';
import { type ContractState, contractState } from '../../src/localnet/contracts/contract.ts';
import { jettonMinter } from '../../src/localnet/contracts/jetton.ts';
import { walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';
import { getMethodCode } from '../../test/support/get-method-code.ts';

/** AGAINEND, NOP: much time for its gas. */
const LOOP = 'EB00';

/** SETCP 0, ACCEPT, and a loop: the code of a wallet that never ends. */
export const LOOPING_CODE: Cell = beginCell()
  .storeBuffer(Buffer.from(`FF00F800${LOOP}`, 'hex'))
  .endCell();

/** A contract whose get-method `loop` uses all its gas. */
export const LOOPER: ContractState = contractState(
  getMethodCode({ loop: { code: beginCell().storeBuffer(Buffer.from(LOOP, 'hex')).endCell() } }),
  beginCell().endCell(),
);

/** A contract with usual get-methods. */
export const MINTER: ContractState = jettonMinter({ admin: null, content: beginCell().endCell() });

/** A different address for each number. */
export function ownerOf(index: number): Address {
  const hash = Buffer.alloc(32);
  hash.writeUInt32BE(index, 28);
  return new Address(0, hash);
}

const VALID_SECONDS = 600;

/** Deploys the contracts on a new chain. */
export async function fillChain(localnet: Localnet, { basechain: faucet }: Wallets): Promise<void> {
  const messages = [LOOPER, MINTER].map(({ address, init }) =>
    internal({ to: address, init, value: toNano('10'), bounce: false }),
  );
  const validUntil = localnet.now() + VALID_SECONDS;
  const body = walletTransfer({ ...faucet, validUntil, seqno: 0, messages });
  const message = external({ to: faucet.address, init: faucet.init, body });
  await createDemoChain(localnet).deliver([beginCell().store(storeMessage(message)).endCell()]);
}
