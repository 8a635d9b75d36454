import { hash } from 'node:crypto';
import { Address, beginCell, external, internal, type MessageRelaxed, storeMessage, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import type { Localnet } from '../../src/localnet/chain/localnet.ts';
import type { Wallets } from '../../src/localnet/chain/start-localnet.ts';
import { type ContractState, contractState } from '../../src/localnet/contracts/contract.ts';
import { jettonMinter, jettonWallet } from '../../src/localnet/contracts/jetton.ts';
import { wallet, walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';

// Cold requests are cold only as long as there are more accounts than responses per block interval.
const WALLETS = 2048;
const JETTON_WALLETS = 2048;
const PAYMENTS = 1000;
const RECEIVERS = 64;

/** SETCP0 ACCEPT: accepts every external message. */
const ACCEPT_ALL = beginCell().storeBuffer(Buffer.from('FF00F800', 'hex')).endCell();

/** The contracts that the benchmark uses. */
export interface Content {
  readonly wallets: readonly ContractState[];
  readonly minter: ContractState;
  readonly jettonWallets: readonly ContractState[];
  /** Received many payments. */
  readonly shop: ContractState;
  /** Accept every external message. */
  readonly receivers: readonly ContractState[];
}

/** The wallet that pays for everything. */
const PAYER_KEYS = keyPairFromSeed(digest('payer'));
const PAYER = wallet({ version: 'v5r1', publicKey: PAYER_KEYS.publicKey });

/** Creates the same contracts in every process. */
export function createContent(): Content {
  const minter = jettonMinter({ admin: null, content: beginCell().endCell() });
  const many = <T>(count: number, create: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => create(index));
  return {
    wallets: many(WALLETS, (index) => wallet({ version: 'v4r2', publicKey: digest(`wallet ${index}`) })),
    minter,
    jettonWallets: many(JETTON_WALLETS, (index) =>
      jettonWallet({ minter: minter.address, owner: ownerOf(index) }),
    ),
    shop: wallet({ version: 'v4r2', publicKey: digest('shop') }),
    receivers: many(RECEIVERS, (index) =>
      contractState(ACCEPT_ALL, beginCell().storeUint(index, 32).endCell()),
    ),
  };
}

/** A different address for each number. */
export function ownerOf(index: number): Address {
  return new Address(0, digest(`owner ${index}`));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** A v5 wallet can send 255 messages at once, but an external message is limited to 64 KB. */
const MESSAGES_AT_ONCE = 200;
const VALID_SECONDS = 600;

/** Deploys the contracts of the benchmark on a new chain. */
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
  const { wallets, minter, jettonWallets, shop, receivers } = createContent();
  const messages = [
    ...[...wallets, minter, ...jettonWallets].map((contract) => pay(contract, '0.1')),
    ...receivers.map((contract) => pay(contract, '100')),
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
