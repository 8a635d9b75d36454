import {
  beginCell,
  type Cell,
  external,
  internal,
  type MessageRelaxed,
  storeMessage,
  toNano,
} from '@ton/core';
import { type ContractState, contractState } from '../../../src/localnet/contracts/contract.ts';
import { walletTransfer } from '../../../src/localnet/contracts/wallets.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import type { FundedWallet } from '../../../src/localnet/genesis/keys.ts';
import { until } from '../../support/until.ts';
import type { openLocalnetApp, V2TestApp } from './v2-app.ts';

type LocalnetApp = Awaited<ReturnType<typeof openLocalnetApp>>;

const VALID_SECONDS = 600;
const MAX_MESSAGES = 4;

/** Code of get-methods in hex; the contract accepts any message, so that it can be deployed. */
export function codeOf(hex: string): Cell {
  // SETCP0, DUP, EQINT 0, IFRET
  return beginCell()
    .storeBuffer(Buffer.from(`FF0020C000DC${hex}`, 'hex'))
    .endCell();
}

/** Deploys contracts by their code and returns their raw addresses. */
export async function deployCodes<Name extends string>(
  context: LocalnetApp,
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
    await sendFrom(context, context.running.wallets.basechain, messages.slice(at, at + MAX_MESSAGES));
  const addresses = states.map(([name, { address }]) => [name, address.toRawString()]);
  return Object.fromEntries(addresses) as Record<Name, string>;
}

/** Sends up to four messages from a funded wallet and waits until they have arrived. */
export async function sendFrom(
  { running: { localnet }, pool, call }: LocalnetApp,
  wallet: FundedWallet,
  messages: readonly MessageRelaxed[],
): Promise<void> {
  const address = wallet.address.toRawString();
  const { body: run } = await call('runGetMethod', { address, method: 'seqno', stack: [] });
  if (!run.ok) throw new Error(run.error);
  const { version, secretKey } = wallet;
  const isNew = run.result.exit_code !== 0;
  const body = walletTransfer({
    version,
    secretKey,
    messages,
    validUntil: localnet.now() + VALID_SECONDS,
    seqno: isNew ? 0 : Number(run.result.stack[0][1]),
    workchain: wallet.address.workChain,
  });
  const message = external({ to: wallet.address, body, ...(isNew && { init: wallet.init }) });
  const { end } = await localnet.send(beginCell().store(storeMessage(message)).endCell().toBoc());
  localnet.wake();
  await end;
  const { seqno } = await localnet.drain();
  await pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
}

/** Deploys contracts with one message from alice of the demo and waits until the last one exists. */
export async function deployByAlice(context: V2TestApp, contracts: readonly ContractState[]): Promise<void> {
  const { alice } = openDemoWallets();
  const address = alice.address.toRawString();
  const run = { address, method: 'seqno', stack: [] };
  const seqno = Number((await context.call('runGetMethod', run)).body.result.stack[0][1]);
  const body = walletTransfer({
    version: alice.version,
    secretKey: alice.keys.secretKey,
    seqno,
    validUntil: 0xffffffff,
    messages: contracts.map(({ address: to, init }) => internal({ to, value: toNano('0.5'), init })),
  });
  const message = beginCell().store(storeMessage(external({ to: alice.address, body })));
  const sent = await context.call('sendBoc', { boc: message.endCell().toBoc().toString('base64') });
  if (sent.status !== 200) throw new Error(sent.body.error);
  for (const contract of contracts) await untilActive(context, contract.address.toRawString());
}

function untilActive(context: V2TestApp, address: string): Promise<void> {
  return until(
    async () => (await context.call('getAddressState', { address })).body.result === 'active',
    () => `${address} was not deployed`,
  );
}
