import {
  beginCell,
  type Cell,
  external,
  internal,
  type MessageRelaxed,
  storeMessage,
  toNano,
} from '@ton/core';
import { type ContractState, contractState } from '../../../src/localnet/contracts/contract-state.ts';
import { walletTransfer } from '../../../src/localnet/contracts/wallet-transfer.ts';
import type { FundedWallet } from '../../../src/localnet/genesis/faucet.ts';
import type { openLocalnetGround } from './v2-ground.ts';

type LocalnetGround = Awaited<ReturnType<typeof openLocalnetGround>>;

const VALID_SECONDS = 600;
const MAX_MESSAGES = 4;

/** Code in hex, after the codepage; a message to the contract ends at once, so that it can be deployed. */
export function codeOf(hex: string): Cell {
  // SETCP0, DUP, EQINT 0, IFRET
  return beginCell()
    .storeBuffer(Buffer.from(`FF0020C000DC${hex}`, 'hex'))
    .endCell();
}

/** Deploys contracts by their codes; gives their raw addresses. */
export async function deployCodes<Name extends string>(
  ground: LocalnetGround,
  codes: Readonly<Record<Name, Cell>>,
): Promise<Record<Name, string>> {
  const states = Object.entries<Cell>(codes).map(([name, code]): [string, ContractState] => [
    name,
    contractState(code, beginCell().endCell()),
  ]);
  const messages = states.map(([, { address, init }]) =>
    internal({ to: address, value: toNano(10), init, bounce: false }),
  );
  for (let at = 0; at < messages.length; at += MAX_MESSAGES)
    await sendFrom(ground, ground.running.wallets.basechain, messages.slice(at, at + MAX_MESSAGES));
  const addresses = states.map(([name, { address }]) => [name, address.toRawString()]);
  return Object.fromEntries(addresses) as Record<Name, string>;
}

/** Sends up to four messages from a wallet that has money, and waits until they have arrived. */
export async function sendFrom(
  { running: { localnet }, pool, call }: LocalnetGround,
  wallet: FundedWallet,
  messages: readonly MessageRelaxed[],
): Promise<void> {
  const address = wallet.address.toRawString();
  const { body: run } = await call('runGetMethod', { address, method: 'seqno', stack: [] });
  if (!run.ok) throw new Error(run.error);
  const { version, secretKey } = wallet;
  const isNew = run.result.exit_code !== 0;
  const body = walletTransfer({
    ...{ version, secretKey, messages, validUntil: localnet.now() + VALID_SECONDS },
    seqno: isNew ? 0 : Number(run.result.stack[0][1]),
    workchain: wallet.address.workChain,
  });
  const message = external({ to: wallet.address, body, ...(isNew && { init: wallet.init }) });
  const { end } = await localnet.send(beginCell().store(storeMessage(message)).endCell().toBoc());
  localnet.wake();
  await end;
  const { seqno } = await localnet.drain();
  await pool.waitForSeqno(seqno, { timeoutMs: 30_000 });
}
