import { randomInt } from 'node:crypto';
import { type Cell, internal, toNano } from '@ton/core';
import { textComment } from '../contracts/contract.ts';
import { HIGHLOAD_QUERIES, highloadTransfer } from '../contracts/wallets.ts';
import { openDemoWallets } from './demo-wallets.ts';
import { externalMessage } from './story.ts';

/** Messages that can be sent to a chain with the demo at any time, in any order, each once. */
export interface SampleMessages {
  /** The body of an external message to kate; valid for an hour from the given unix time on. */
  body(now: number): Cell;
  /** The whole external message. */
  external(now: number): Cell;
}

const AMOUNT = toNano('0.001');

/**
 * Opens the source of such messages: small transfers from kate to bob. Kate has a highload wallet, which takes messages
 * in any order, while one with a seqno takes only the next one.
 */
export function openSampleMessages(): SampleMessages {
  const { kate, bob } = openDemoWallets();
  const { secretKey } = kate.keys;
  const body = (now: number): Cell =>
    highloadTransfer({
      secretKey,
      queryNumber: randomInt(HIGHLOAD_QUERIES),
      createdAt: now,
      message: internal({ to: bob.address, value: AMOUNT, bounce: false, body: textComment('Hello') }),
    });
  return { body, external: (now) => externalMessage({ address: kate.address }, body(now)) };
}
