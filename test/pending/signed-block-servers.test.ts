import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BlockId, shortBlockName } from '../../src/chain/block-id.ts';
import { decodeLiteError } from '../../src/chain/tl/lite-envelope.ts';
import { LiteServerError, NoLiteServer } from '../../src/lite/errors.ts';
import { encodeResponse } from '../../src/lite/methods/codec.ts';
import type { LitePool } from '../../src/lite/pool.ts';
import type { LiteSession, SessionOptions } from '../../src/lite/session.ts';
import type { WritableChainStore } from '../../src/localnet/store/chain-store.ts';
import { createSignedBlocks } from '../../src/pending/signed-blocks.ts';
import { answersFrom } from '../localnet/lite-server/support/answers.ts';
import { sampleStore } from '../localnet/support/sample-store.ts';
import { decodeRequest } from '../support/lite-server.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { until } from '../support/until.ts';

/** What is asked of lite servers about signed blocks, and what of their answers is believed. */

/** A lite server of a store; `list` changes what it says is signed. */
interface TestServer {
  readonly showsSigned: boolean;
  readonly list?: (signed: readonly BlockId[]) => readonly BlockId[];
}

let store: WritableChainStore;
let steps: ReturnType<typeof sampleStore>['steps'];
const closers: (() => Promise<void>)[] = [];
beforeEach(() => {
  ({ store, steps } = sampleStore(4));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Follows the signed blocks of servers for somebody who is interested in everything. */
function follow(servers: readonly TestServer[], { isNeeded = true } = {}) {
  const asked: string[] = [];
  const seen: string[] = [];
  const settled: string[] = [];
  const sessionOn = (index: number): LiteSession => {
    const { showsSigned, list = (signed) => signed } = servers[index]!;
    const answers = answersFrom(store, { showsSigned });
    const query = async (bytes: Uint8Array): Promise<Buffer> => {
      const request = decodeRequest(Buffer.from(bytes));
      asked.push(`${index} ${request.method}`);
      const answer = await answers.bytes(Buffer.from(bytes));
      const error = decodeLiteError(answer);
      if (error !== undefined) throw new LiteServerError(error.code, error.message);
      if (request.method !== 'nonfinal.getPendingShardBlocks') return answer;
      return encodeResponse(request.method, { signedBlocks: list(store.signed), candidates: [] });
    };
    const target = { index, name: `server ${index}`, reference: store.head, query };
    return { ...target, workers: [index], run: (work) => work(target) };
  };
  const pool: Pick<LitePool, 'session' | 'head'> = {
    get head() {
      return store.head;
    },
    async session({ among = () => true }: SessionOptions = {}) {
      const index = servers.findIndex((_, at) => among(at));
      if (index < 0) throw new NoLiteServer('no workers available');
      return sessionOn(index);
    },
  };
  const log = createQuietLog();
  const signed = createSignedBlocks({ pool, check: { verify: true }, log, pollMs: 2 });
  signed.follow({
    isOpen: () => isNeeded,
    async seen({ id, accounts }) {
      seen.push(shortBlockName(id));
      return accounts;
    },
    async settled({ id }) {
      settled.push(shortBlockName(id));
    },
  });
  signed.start({ isNeeded: () => isNeeded, changed: async () => {}, found: () => {} });
  closers.push(signed.close);
  const askedFor = (index: number) =>
    asked.filter((one) => one === `${index} nonfinal.getPendingShardBlocks`).length;
  return { signed, asked, askedFor, seen, settled, log };
}

it('signed blocks come from the servers that show them; one that refuses is asked once', async () => {
  const { askedFor, seen } = follow([{ showsSigned: false }, { showsSigned: true }]);
  store.showSigned(steps[4]!.shards);
  await until(async () => askedFor(1) > 3 && seen.length > 0);
  expect(askedFor(0)).toBe(1);
  expect(seen.sort()).toEqual(store.signed.map(shortBlockName).sort());
});

it('signed blocks bring those before them, and are settled when the masterchain is past them', async () => {
  const { seen, settled, asked, askedFor } = follow([
    { showsSigned: true, list: (signed) => signed.slice(-1) },
  ]);
  store.showSigned(steps[4]!.shards);
  const newest = store.signed.at(-1)!;
  const before = store.signed.filter(({ shard, seqno }) => shard === newest.shard && seqno < newest.seqno);
  expect(before.length).toBeGreaterThan(0);
  await until(async () => seen.length > 0);
  expect(seen).toEqual([...before, newest].map(shortBlockName));
  // Each is loaded once.
  expect(asked.filter((one) => one.endsWith(' getBlock'))).toHaveLength(seen.length);
  store.append(steps[4]!);
  const looks = askedFor(0);
  await until(async () => askedFor(0) > looks + 2);
  expect(settled).toEqual([]);
  for (const step of steps.slice(5)) store.append(step);
  await until(async () => settled.length > 0);
  expect(settled.sort()).toEqual([...seen].sort());
});

it('nobody is asked while nobody needs signed blocks', async () => {
  const { asked, signed } = follow([{ showsSigned: true }], { isNeeded: false });
  store.showSigned(steps[4]!.shards);
  await signed.close();
  expect(asked).toEqual([]);
});

it('blocks that are not those of their ids, or do not continue the chain, are not believed', async () => {
  const other = { rootHash: Buffer.alloc(32, 7), fileHash: Buffer.alloc(32, 8) };
  const [first] = steps[4]!.shards;
  const { askedFor, seen, signed } = follow([
    {
      showsSigned: true,
      list: (ids) => [
        ...ids.map((id) => ({ ...id, ...other })),
        { ...store.head, seqno: store.head.seqno + 1 },
        { workchain: 0, shard: ids[0]!.shard, seqno: ids[0]!.seqno + 1000, ...other },
        { workchain: 5, shard: ids[0]!.shard, seqno: 1, ...other },
      ],
    },
  ]);
  store.showSigned([first!]);
  await until(async () => askedFor(0) > 5);
  expect(seen).toEqual([]);
  expect(signed.receiving(Buffer.alloc(32))).toBeUndefined();
});
