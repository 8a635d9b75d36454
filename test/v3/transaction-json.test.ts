import { Cell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningLocalnet } from '../../src/localnet/chain/start-localnet.ts';
import { transactionsOf } from '../localnet/support/demo-localnet.ts';
import type { TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { coreTransaction } from './support/core-transaction.ts';
import { readIndexedDemo, startDemoChain } from './support/indexed-demo.ts';

const PAGE = 1000;

let test: TestDatabase;
let app: FastifyInstance;
let chain: RunningLocalnet;
// biome-ignore lint/suspicious/noExplicitAny: a parsed response
let shown: any[];
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  chain = await startDemoChain();
  shown = [];
  for (let page = PAGE; page === PAGE; ) {
    const url = `/api/v3/transactions?limit=${PAGE}&offset=${shown.length}&sort=asc`;
    const { transactions } = (await app.inject({ url })).json();
    page = transactions.length;
    shown.push(...transactions);
  }
});
afterAll(async () => {
  await app?.close();
  await chain?.stop();
  await test?.drop();
});

/** A message of a response in the form of `coreTransaction`. */
function toCore(message: Record<string, unknown> | null) {
  if (message === null) return null;
  const { hash, hash_norm, message_content, init_state, ihr_fee, extra_flags, ...others } = message;
  const { decoded_opcode, ...rest } = others;
  const content = (part: unknown) => {
    if (part === null) return null;
    const { body, decoded, ...others } = part as { hash: string; body: string; decoded: unknown };
    expect(Cell.fromBase64(body).hash().toString('base64')).toBe(others.hash);
    expect(body).toMatch(/^te6cck/);
    return others;
  };
  return {
    ...rest,
    message_content: content(message_content),
    init_state: content(init_state),
    ...(rest.source === null && { normalized: hash_norm ?? hash }),
  };
}

describe('transactions as JSON', () => {
  it('match what @ton/core reads from the blocks of the chain', () => {
    const expected = [...transactionsOf(chain.localnet.store)].flatMap(([account, list]) =>
      list.map((one) => coreTransaction(one, Number(account.split(':')[0]))),
    );
    const byHash = new Map(shown.map((one) => [one.hash, one]));
    // The reader sees the newest block of each shard, and a masterchain block may commit two.
    expect(expected.length).toBeGreaterThan(byHash.size * 0.9);
    for (const one of expected) {
      const found = byHash.get(one.hash)!;
      const { mc_block_seqno, trace_id, block_ref, account_state_before, account_state_after, ...rest } =
        found;
      const { emulated, finality, ...own } = rest;
      expect([emulated, finality]).toEqual([false, 'finalized']);
      expect({
        ...own,
        in_msg: toCore(own.in_msg),
        out_msgs: own.out_msgs.map(toCore),
        state_hashes: [account_state_before.hash, account_state_after.hash],
      }).toEqual(one);
      expect(byHash.has(trace_id)).toBe(true);
      expect([mc_block_seqno, block_ref.workchain]).toEqual([
        expect.any(Number),
        Number(one.account.split(':')[0]),
      ]);
    }
    const kinds = new Set(shown.map(({ description }) => description.type));
    expect(kinds).toEqual(new Set(['ord', 'tick_tock']));
  });

  it('have account states that follow each other', () => {
    const NONEXISTENT = 'kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=';
    const known = new Map<string, unknown>();
    // They have a tick beside each of their transactions.
    const ticking = new Set(
      shown.filter(({ description }) => description.type === 'tick_tock').map(({ account }) => account),
    );
    let [counted, unknown] = [0, 0];
    for (const one of shown) {
      const { account, account_state_before: before, account_state_after: after } = one;
      for (const [state, status] of [
        [before, one.orig_status],
        [after, one.end_status],
      ]) {
        if (state.hash === NONEXISTENT) {
          expect([state.account_status, state.balance]).toEqual([null, null]);
          continue;
        }
        if (!ticking.has(account)) counted++;
        if (state.balance !== null) expect(state.account_status).toBe(status);
        else if (!ticking.has(account)) unknown++;
        const key = `${account} ${state.hash}`;
        if (known.has(key)) expect(state).toEqual(known.get(key));
        else known.set(key, state);
      }
    }
    // States within a block.
    expect(unknown).toBeLessThan(counted / 3);
    expect(unknown).toBeGreaterThan(0);
  });
});
