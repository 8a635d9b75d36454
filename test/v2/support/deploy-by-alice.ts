import { setTimeout as sleep } from 'node:timers/promises';
import { beginCell, external, internal, storeMessage, toNano } from '@ton/core';
import type { ContractState } from '../../../src/localnet/contracts/contract-state.ts';
import { walletTransfer } from '../../../src/localnet/contracts/wallet-transfer.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallet.ts';
import type { V2Ground } from './v2-ground.ts';

/** Lets alice of the demo deploy contracts, all with one message, and waits until the last of them is there. */
export async function deployByAlice(ground: V2Ground, contracts: readonly ContractState[]): Promise<void> {
  const { alice } = openDemoWallets();
  const address = alice.address.toRawString();
  const run = { address, method: 'seqno', stack: [] };
  const seqno = Number((await ground.call('runGetMethod', run)).body.result.stack[0][1]);
  const body = walletTransfer({
    ...{ version: alice.version, secretKey: alice.keys.secretKey, seqno, validUntil: 0xffffffff },
    messages: contracts.map(({ address: to, init }) => internal({ to, value: toNano('0.5'), init })),
  });
  const message = beginCell().store(storeMessage(external({ to: alice.address, body })));
  const sent = await ground.call('sendBoc', { boc: message.endCell().toBoc().toString('base64') });
  if (sent.status !== 200) throw new Error(sent.body.error);
  for (const contract of contracts) await untilActive(ground, contract.address.toRawString());
}

async function untilActive(ground: V2Ground, address: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await ground.call('getAddressState', { address })).body.result === 'active') return;
    await sleep(50);
  }
  throw new Error(`${address} was not deployed`);
}
