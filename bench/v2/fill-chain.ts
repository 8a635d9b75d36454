import { beginCell, external, internal, type MessageRelaxed, storeMessage, toNano } from '@ton/core';
import type { Localnet } from '../../src/localnet/chain/localnet.ts';
import type { Wallets } from '../../src/localnet/chain/start-localnet.ts';
import type { ContractState } from '../../src/localnet/contracts/contract.ts';
import { walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';
import { createContent, PAYER, PAYER_KEYS, PAYMENTS } from './content.ts';

/** A wallet of version 5 can send 255 at once, but a message from outside may have 64 KB at most. */
const MESSAGES_AT_ONCE = 200;
const VALID_SECONDS = 600;

/** Puts everything on a new chain that the benchmark asks about. */
export async function fillChain(localnet: Localnet, { basechain: faucet }: Wallets): Promise<void> {
  const chain = createDemoChain(localnet);
  const send = (from: ContractState, transfer: Parameters<typeof walletTransfer>[0]): Promise<void> => {
    const init = transfer.seqno === 0 ? from.init : undefined;
    const message = external({ to: from.address, init, body: walletTransfer(transfer) });
    return chain.deliver([beginCell().store(storeMessage(message)).endCell()]);
  };
  const validUntil = localnet.now() + VALID_SECONDS;
  const pay = (to: ContractState, value: string): MessageRelaxed =>
    internal({ to: to.address, value: toNano(value), init: to.init, bounce: false });

  await send(faucet, { ...faucet, validUntil, seqno: 0, messages: [pay(PAYER, '1000000')] });
  const { wallets, minter, jettonWallets, shop, takers } = createContent();
  const messages = [
    ...[...wallets, minter, ...jettonWallets].map((contract) => pay(contract, '0.1')),
    ...takers.map((contract) => pay(contract, '100')),
    pay(shop, '1'),
    ...Array.from({ length: PAYMENTS }, () => internal({ to: shop.address, value: toNano('0.01') })),
  ];
  for (let at = 0, seqno = 0; at < messages.length; at += MESSAGES_AT_ONCE, seqno++)
    await send(PAYER, {
      version: 'v5r1',
      secretKey: PAYER_KEYS.secretKey,
      validUntil,
      seqno,
      messages: messages.slice(at, at + MESSAGES_AT_ONCE),
    });
}
