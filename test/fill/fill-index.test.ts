import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillIndex } from '../../bench/fill/fill-index.ts';
import { Lane, type MadeSeqno, type MadeTransaction } from '../../bench/fill/lane.ts';
import { type FillOptions, planFill } from '../../bench/fill/plan.ts';
import type { Samples } from '../../bench/fill/samples.ts';
import { createBenchApp } from '../../bench/v3/bench-app.ts';
import { formatAccount, formatHash } from '../../src/v3/values.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';

const OPTIONS: FillOptions = {
  transactions: 800,
  seqnos: 1_500_000,
  seed: 7,
  // Each lane has a thread, which takes long to start.
  lanes: sampled(1, 2),
  partitionSeqnos: 1_000_000,
};
const SETTINGS = {
  log: createQuietLog(),
  actions: true,
  keepIndexes: false,
  restart: false,
  onProgress: () => {},
};

/** A transaction as it was generated, with its place and the hashes of its messages. */
interface Expected extends MadeTransaction {
  readonly seqno: number;
  readonly time: number;
  readonly messageHashes: readonly string[];
}

/** Generates the chain once more: what is in the index must be exactly this. */
async function generate(
  options: FillOptions,
): Promise<{ readonly seqnos: MadeSeqno[]; readonly transactions: Expected[] }> {
  const plan = planFill(options);
  const lanes = Array.from({ length: options.lanes }, (_, lane) => new Lane(options, lane));
  const seqnos: MadeSeqno[] = [];
  const transactions: Expected[] = [];
  for (let number = 0; number < plan.batchCount; number++) {
    const { arena, seqnos: made } = await lanes[number % options.lanes]!.next(plan.batch(number));
    seqnos.push(...made);
    for (const { seqno, time, transactions: list } of made)
      for (const one of list) {
        const messageHashes = one.messages.map((message) => formatHash(arena.hash(message)));
        transactions.push({ ...one, seqno, time, messageHashes });
      }
  }
  return { seqnos, transactions };
}

/** The part of a response that is compared. */
interface ReadyTransaction {
  readonly account: string;
  readonly hash: string;
  readonly lt: string;
  readonly now: number;
  readonly mc_block_seqno: number;
  readonly trace_id: string;
  readonly prev_trans_hash: string;
  readonly prev_trans_lt: string;
  readonly in_msg: { readonly hash: string } | null;
  readonly out_msgs: readonly { readonly hash: string }[];
  readonly account_state_before: { readonly hash: string; readonly balance?: string };
  readonly account_state_after: { readonly hash: string; readonly balance?: string };
}

interface ShownTrace {
  readonly trace_id: string;
  readonly start_lt: string;
  readonly end_lt: string;
  readonly start_utime: number;
  readonly end_utime: number;
  readonly is_incomplete: boolean;
  readonly transactions_order: readonly string[];
  readonly actions: readonly { readonly type: string }[];
}

let store: TestDatabase;
let app: FastifyInstance;
let samples: Samples;
const { seqnos, transactions } = await generate(OPTIONS);

const fill = (signal?: AbortSignal) =>
  fillIndex(OPTIONS, { ...SETTINGS, url: store.url, ...(signal && { signal }) });

async function writtenBatches(): Promise<number> {
  const chunks = store.database.primary.selectFrom('index_chunks').select('first_seqno');
  return (await chunks.whereRef('done_seqno', '=', 'last_seqno').execute()).length;
}

beforeAll(async () => {
  store = await createTestDatabase();
  app = await createBenchApp(store.database, undefined, 'silent');
});

afterAll(async () => {
  await app.close();
  await store.drop();
});

async function request<T>(path: string): Promise<T> {
  const { statusCode, body } = await app.inject(`/api/v3/${path}`);
  expect(statusCode, body).toBe(200);
  return JSON.parse(body) as T;
}

const hashes = (list: readonly { readonly hash: string }[]) => list.map(({ hash }) => hash);

function expectShown(shown: ReadyTransaction, expected: Expected): void {
  const { account, hash, lt, seqno, time, root, before, after, messageHashes } = expected;
  expect(shown).toMatchObject({
    account: formatAccount(account.key),
    hash: formatHash(hash),
    lt: String(lt),
    now: time,
    mc_block_seqno: seqno,
    trace_id: formatHash((root ?? expected).hash),
    account_state_before: { hash: formatHash(before.hash) },
    account_state_after: { hash: formatHash(after.hash) },
  });
  expect([...hashes(shown.in_msg === null ? [] : [shown.in_msg]), ...hashes(shown.out_msgs)]).toEqual(
    messageHashes,
  );
}

describe('fillIndex', () => {
  it('writes everything once, also when it was interrupted', async () => {
    // Threads take seconds to start, so this is left to long runs.
    if (isLongRun) {
      const interrupted = new AbortController();
      const first = fill(interrupted.signal);
      first.catch(() => {});
      await expect.poll(writtenBatches, { timeout: 120_000, interval: 5 }).toBeGreaterThan(0);
      interrupted.abort();
      await expect(first).rejects.toThrow(/Interrupted/);
    }
    samples = await fill();
    expect(await fill()).toEqual(samples);
    const tables = ['transactions', 'blocks', 'traces', 'open_traces', 'unclassified_traces'] as const;
    const counts = await Promise.all(
      tables.map(async (table) => {
        const count = store.database.primary.selectFrom(table).select((eb) => eb.fn.countAll().as('rows'));
        return Number((await count.executeTakeFirstOrThrow()).rows);
      }),
    );
    const roots = transactions.filter(({ root }) => root === undefined);
    expect(counts).toEqual([OPTIONS.transactions, seqnos.length * 3, roots.length, 0, 0]);
  });

  it('refuses a database that was filled with other options', async () => {
    const other = fillIndex({ ...OPTIONS, seed: 8 }, { ...SETTINGS, url: store.url });
    await expect(other).rejects.toThrow(/was filled with .*"seed": ?7/);
  });

  it('writes transactions that v3 returns as they were generated', async () => {
    const byHash = new Map(transactions.map((one) => [one.hash.toString('hex'), one]));
    for (const hash of samples.transactions.slice(0, 20)) {
      const found = await request<{ transactions: ReadyTransaction[] }>(`transactions?hash=${hash}`);
      expect(found.transactions).toHaveLength(1);
      expectShown(found.transactions[0]!, byHash.get(hash)!);
    }
  });

  it('links all transactions of an account, with its balance in every state that a block shows', async () => {
    const { account, count } = samples.busy;
    const expected = transactions.filter((one) => formatAccount(one.account.key) === account);
    const path = `transactions?account=${account}&limit=1000&sort=asc`;
    const { transactions: shown } = await request<{ transactions: ReadyTransaction[] }>(path);
    expect(shown).toHaveLength(count);
    for (const [at, one] of shown.entries()) {
      expectShown(one, expected[at]!);
      const previous = shown[at - 1];
      if (previous !== undefined)
        expect([one.prev_trans_hash, one.prev_trans_lt]).toEqual([previous.hash, previous.lt]);
      const { balance } = one.account_state_after;
      if (balance !== undefined && balance !== null)
        expect(balance).toBe(String(expected[at]!.after.balance));
    }
  });

  it('puts whole traces into a few seconds of the chain, and classifies them', async () => {
    const members = Map.groupBy(transactions, (one) => (one.root ?? one).hash.toString('hex'));
    const { traces } = await request<{ traces: ShownTrace[] }>('traces?limit=1000&include_actions=true');
    expect(traces).toHaveLength(members.size);
    for (const trace of traces) {
      const expected = members.get(Buffer.from(trace.trace_id, 'base64').toString('hex'))!;
      const times = expected.map(({ time }) => time);
      const lts = expected.map(({ lt }) => lt);
      expect(trace).toMatchObject({
        is_incomplete: false,
        start_lt: String(Math.min(...lts)),
        end_lt: String(Math.max(...lts)),
        start_utime: Math.min(...times),
        end_utime: Math.max(...times),
      });
      expect([...trace.transactions_order].sort()).toEqual(
        expected.map(({ hash }) => formatHash(hash)).sort(),
      );
    }
    const types = new Set(traces.flatMap(({ actions }) => actions.map(({ type }) => type)));
    const usual = ['ton_transfer', 'jetton_transfer', 'jetton_swap', 'nft_transfer', 'call_contract'];
    expect([...types]).toEqual(expect.arrayContaining(usual));
  });

  it('has blocks by which bounds of time are found', async () => {
    // From the middle of a run of blocks to the middle of the next one, which is days later.
    const [start, end] = [seqnos[15]!.time, seqnos[24]!.time];
    const path = `transactions?start_utime=${start}&end_utime=${end}&limit=1000&sort=asc`;
    const { transactions: shown } = await request<{ transactions: ReadyTransaction[] }>(path);
    const expected = transactions.filter(({ time }) => time >= start && time <= end);
    expect(expected.length).toBeGreaterThan(100);
    expect(hashes(shown).sort()).toEqual(expected.map(({ hash }) => formatHash(hash)).sort());
  });
});

describe('planFill', () => {
  it('spreads transactions over more seqnos than there are partitions in years', () => {
    const plan = planFill({ ...OPTIONS, transactions: 100_000, seqnos: 1_000_000_000 });
    const batches = Array.from({ length: plan.batchCount }, (_, number) => plan.batch(number));
    const runs = batches.flatMap((batch) => batch.runs);
    expect(runs.reduce((sum, run) => sum + run.transactions, 0)).toBe(100_000);
    expect(batches.at(-1)!.lastSeqno).toBe(1_000_000_001);
    for (const [at, batch] of batches.entries())
      expect(batch.firstSeqno).toBe(at === 0 ? 1 : batches[at - 1]!.lastSeqno + 1);
  });

  it('refuses more transactions than fit into the seqnos', () => {
    expect(() => planFill({ ...OPTIONS, seqnos: 10 })).toThrow(/need at least 40 seqnos/);
  });
});
