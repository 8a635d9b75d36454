import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatRaw } from '../../../src/chain/address/format-address.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { readBlockTransactions } from '../../../src/chain/tlb/block-transactions.ts';
import type { Message } from '../../../src/chain/tlb/message.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { openReplayGround, type V2Ground } from '../support/v2-ground.ts';

/** A message between two accounts, and the hashes of the transactions at its ends. */
interface Sent {
  readonly params: { readonly source: string; readonly destination: string; readonly created_lt: string };
  readonly sender: string;
  readonly receiver: string;
}

/** Not all messages, to save time; what is left is from before and after the split, bounced, and to accounts now gone. */
const EVERY = 4;

function recordedMessages(): Sent[] {
  const folder = new URL('blocks/', RECORDED_NETWORK);
  const senders = new Map<string, string>();
  const received: { message: Message; receiver: string }[] = [];
  for (const file of readdirSync(folder)) {
    const bag = readBoc(readFileSync(new URL(file, folder)));
    for (const { hash, inMessage, outMessages } of readBlockTransactions(bag, bag.root)) {
      const name = hash.toString('base64');
      for (const message of outMessages) senders.set(message.hash.toString('base64'), name);
      if (inMessage?.info.kind === 'internal') received.push({ message: inMessage, receiver: name });
    }
  }
  return received.flatMap(({ message: { info, hash }, receiver }, i) => {
    if (info.kind !== 'internal' || info.src.kind !== 'std' || info.dest.kind !== 'std') return [];
    const sender = senders.get(hash.toString('base64'));
    // Nobody sent what the masterchain pays out.
    if (sender === undefined || i % EVERY !== 0) return [];
    const ends = { source: formatRaw(info.src, 'lower'), destination: formatRaw(info.dest, 'lower') };
    return [{ params: { ...ends, created_lt: String(info.createdLt) }, sender, receiver }];
  });
}

/** The comparison with all recorded answers knows a few messages only. */
describe.skipIf(missingNetwork !== '')(`messages of a recorded network${missingNetwork}`, () => {
  let ground: V2Ground;
  let messages: Sent[];
  beforeAll(async () => {
    ground = await openReplayGround();
    messages = recordedMessages();
  });
  afterAll(() => ground.close());

  async function hashOf(method: string, params: Sent['params']): Promise<string> {
    const { status, body } = await ground.call(method, params);
    return status === 200 ? body.result.transaction_id.hash : `${status} ${body.error}`;
  }

  it('lead to the transaction that received them, and to the one that sent them', async () => {
    expect(messages.length).toBeGreaterThan(40);
    for (const { params, sender, receiver } of messages) {
      expect(await hashOf('tryLocateTx', params), JSON.stringify(params)).toBe(receiver);
      expect(await hashOf('tryLocateSourceTx', params), JSON.stringify(params)).toBe(sender);
    }
  });
});
