import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4 } from '@ton/ton';

interface TrafficOptions {
  /** Of the process with the local chain. */
  readonly url: string;
  readonly key: string;
  readonly transactionsPerSecond: number;
  readonly blockMs: number;
  /** Who is paid next. */
  readonly pick: () => Address;
}

/** Wallets that pay at a steady rate. */
export interface Traffic {
  /** Transactions so far. */
  readonly transactions: () => number;
  readonly stop: () => Promise<void>;
}

const MESSAGES_PER_TRANSFER = 4;
const TRANSACTIONS_PER_TRANSFER = 1 + MESSAGES_PER_TRANSFER;

/** Starts wallets, each of which sends as often as its share of the rate wants. */
export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const { transactionsPerSecond, blockMs } = options;
  const transfersPerSecond = transactionsPerSecond / TRANSACTIONS_PER_TRANSFER;
  // A wallet sends once per block at most, with room for a block that is late.
  const count = Math.ceil(transfersPerSecond * 2 * (blockMs / 1000));
  const senders = await Promise.all(Array.from({ length: count }, () => openSender(options)));
  const everyMs = (1000 * senders.length) / transfersPerSecond;
  let isOver = false;
  let sent = 0;
  const running = senders.map(async (send, at) => {
    await sleep((everyMs * at) / senders.length);
    for (let next = performance.now(); !isOver; ) {
      await send();
      sent += 1;
      next += everyMs;
      await sleep(Math.max(0, next - performance.now()));
    }
  });
  const ended = Promise.all(running);
  // Reported by `stop`; a failure must not end the process before its children.
  ended.catch(() => {});
  return {
    transactions: () => sent * TRANSACTIONS_PER_TRANSFER,
    async stop() {
      isOver = true;
      await ended;
    },
  };
}

async function openSender({ url, key, pick }: TrafficOptions): Promise<() => Promise<void>> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<{ readonly ok?: boolean }> => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { ok?: boolean };
  };
  const keys = keyPairFromSeed(randomBytes(32));
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
  await post('/localnet/fund', { address: wallet.address.toString(), amount: '1000' });
  let seqno = 0;
  return async () => {
    const messages = Array.from({ length: MESSAGES_PER_TRANSFER }, () =>
      internal({ to: pick(), value: toNano('0.01'), bounce: false, body: 'bench' }),
    );
    const body = wallet.createTransfer({
      seqno,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages,
    });
    const message = external({ to: wallet.address, init: seqno === 0 ? wallet.init : null, body });
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64');
    const { ok } = await post('/api/v2/sendBoc', { boc });
    if (ok) seqno += 1;
  };
}
