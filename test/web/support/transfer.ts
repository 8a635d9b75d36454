import { randomBytes } from 'node:crypto';
import { internal, type MessageRelaxed } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { TonClient, WalletContractV4 } from '@ton/ton';
import type { TongateServer } from '../../v3/support/tongate-server.ts';

/** A wallet of its own that sends comments to itself. */
export interface Commenter {
  readonly address: string;
  /** Sends a message without waiting for a block. */
  readonly send: (comment: string) => Promise<void>;
  /** Sends any messages, in one of its own. */
  readonly sendAll: (messages: MessageRelaxed[]) => Promise<void>;
}

/** Creates a wallet with some TON. */
export async function createCommenter({ url, key, post }: TongateServer): Promise<Commenter> {
  const client = new TonClient({ endpoint: `${url}/api/v2/jsonRPC`, apiKey: key, timeout: 120_000 });
  const keys = keyPairFromSeed(randomBytes(32));
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }));
  const address = wallet.address.toRawString();
  await post('/localnet/fund', { address, amount: '10' });
  let seqno = 0;
  async function sendAll(messages: MessageRelaxed[]): Promise<void> {
    await wallet.sendTransfer({ seqno, secretKey: keys.secretKey, messages });
    seqno += 1;
  }
  return {
    address,
    send: (comment) =>
      sendAll([internal({ to: wallet.address, value: '0.1', body: comment, bounce: false })]),
    sendAll,
  };
}
