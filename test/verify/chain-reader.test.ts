import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../../src/chain/address.ts';
import { Failure } from '../../src/lib/errors.ts';
import { RecentMessages } from '../../src/localnet/lite-server/methods/method-context.ts';
import { createRequestHandler } from '../../src/localnet/lite-server/request-handler.ts';
import { type ChainReader, createChainReader, isMissing } from '../../src/verify/chain-reader.ts';
import { diagnoseServer } from '../../src/verify/diagnose-server.ts';
import { sampleStore } from '../localnet/support/sample-store.ts';
import {
  decodeRequest,
  type LiteServer,
  type Misbehaviour,
  startLiteServer,
} from '../support/lite-server.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';

const { store, chain } = sampleStore();
const { mc, left } = chain.accounts;
const zeroState = chain.zeroState.id;
const blockAt = (seqno: number) => store.masterchainBlock(seqno)!.id;
const now = () => 1_700_000_000;
const handle = createRequestHandler(
  { store, now, version: { version: 0x101, capabilities: 15n }, recentMessages: new RecentMessages(now) },
  createQuietLog(),
);
const { signal } = new AbortController();
/** More than a busy machine needs. */
const TIMEOUT_MS = 10_000;
/** Where there is nothing to wait for. */
const SHORT_MS = 300;

const servers: LiteServer[] = [];
const readers: ChainReader[] = [];
async function startServer(change: (response: Buffer, request: Buffer) => Buffer = (response) => response) {
  const answer = async (request: Buffer) => change(Buffer.from(await handle(request, signal)), request);
  const server = await startLiteServer({ answer });
  servers.push(server);
  return server;
}
const addressOf = ({ host, port, publicKey }: LiteServer, index: number) => ({
  index,
  host,
  port,
  publicKey,
});
function readerOf(list: readonly LiteServer[], timeoutMs = TIMEOUT_MS): ChainReader {
  const reader = createChainReader({ liteServers: list.map(addressOf), zeroState, timeoutMs });
  readers.push(reader);
  return reader;
}
afterAll(async () => {
  await Promise.all(readers.map((reader) => reader.close()));
  await Promise.all(servers.map((server) => server.stop()));
});

/** How many bytes of a response are changed, one at a time. */
const CHANGES = sampled(3, 40);

/** Everything that is read, in a form that can be compared. */
const READS: Readonly<Record<string, (reader: ChainReader) => Promise<unknown>>> = {
  masterchainId: (reader) => reader.masterchainId(2),
  block: async (reader) => (await reader.block(blockAt(2))).hash(),
  firstConfig: async (reader) => (await reader.firstConfig()).hash(),
  'account of the masterchain': (reader) => readAccount(reader, mc),
  'account of a shard': (reader) => readAccount(reader, left),
};
async function readAccount(reader: ChainReader, account: typeof mc) {
  const found = await reader.account(blockAt(3), accountKey(account.workchain, account.hash));
  return found && { ...found, cell: found.cell.hash() };
}

describe('a chain reader', () => {
  let honest: ChainReader;
  beforeAll(async () => {
    honest = readerOf([await startServer()]);
  });

  it('reads the newest block, blocks, accounts and the configuration', async () => {
    expect(await honest.head()).toEqual(store.head);
    expect(await honest.masterchainId(store.head.seqno)).toEqual(store.head);
    for (let seqno = 1; seqno < store.head.seqno; seqno++)
      expect(await honest.masterchainId(seqno)).toEqual(blockAt(seqno));
    for (const read of Object.values(READS)) expect(await read(honest)).toBeDefined();
    expect(await honest.account(store.head, Buffer.alloc(33))).toBeUndefined();
  });

  it('tells what servers do not have', async () => {
    expect(isMissing(await honest.lookUp(1000).catch((error) => error))).toBe(true);
  });

  it.each(Object.entries(READS))('takes no wrong response: %s', async (_name, read) => {
    const truth = await read(honest);
    let change: ((response: Buffer) => void) | undefined;
    let length = 0;
    const server = await startServer((response, request) => {
      if (decodeRequest(request).method === 'getMasterchainInfo') return response;
      length = Math.max(length, response.length);
      change?.(response);
      return response;
    });
    const reader = readerOf([server]);
    expect(await read(reader)).toEqual(truth);
    let refused = 0;
    for (let at = 8; at < length; at += Math.ceil(length / CHANGES)) {
      change = (response) => at < response.length && response.writeUInt8(response.readUInt8(at) ^ 4, at);
      try {
        expect(await read(reader)).toEqual(truth);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});

const MISBEHAVIOURS: readonly Misbehaviour[] = [
  { kind: 'hung' },
  { kind: 'silent' },
  { kind: 'cut' },
  { kind: 'wrong-checksum' },
  { kind: 'garbage' },
  { kind: 'endless' },
  { kind: 'flood', packets: 3 },
  { kind: 'refuse-handshake' },
  { kind: 'error', code: 651, text: 'node not synced' },
];

// An error that escapes a connection would end the process, and is reported by the test runner.
it.each(sampleOf(MISBEHAVIOURS, 2))('a lite server that is $kind fails in time', async (misbehaviour) => {
  const server = await startServer();
  server.misbehave(misbehaviour);
  const [failure, { fault, seqno }] = await Promise.all([
    readerOf([server], SHORT_MS)
      .head()
      .catch((error: unknown) => error),
    diagnoseServer(addressOf(server, 0), { zeroState, timeoutMs: SHORT_MS }),
  ]);
  expect(failure).toBeInstanceOf(Failure);
  expect(fault?.text).toMatch(/\w/);
  expect(seqno).toBeUndefined();
});

// One that hangs is replaced only when its time is up.
it.each(sampled(['wrong-checksum'] as const, ['hung', 'wrong-checksum'] as const))(
  'a lite server that is %s is replaced',
  async (kind) => {
    const server = await startServer();
    server.misbehave({ kind });
    const reader = readerOf([server, await startServer()]);
    expect(await reader.head()).toEqual(store.head);
    expect(await reader.masterchainId(2)).toEqual(blockAt(2));
  },
);

it('a lite server that comes back is used again', async () => {
  const server = await startServer();
  const reader = readerOf([server]);
  expect(await reader.head()).toEqual(store.head);
  server.cutAll();
  expect(await reader.head()).toEqual(store.head);
  await server.stop();
  await expect(reader.head()).rejects.toThrow(/ECONNREFUSED/);
  await server.start();
  expect(await reader.head()).toEqual(store.head);
});

it('a reader can be aborted', async () => {
  const server = await startServer();
  server.misbehave({ kind: 'hung' });
  const reader = createChainReader({
    liteServers: [addressOf(server, 0)],
    zeroState,
    signal: AbortSignal.timeout(100),
    timeoutMs: SHORT_MS,
  });
  readers.push(reader);
  await expect(reader.head()).rejects.toThrow('timeout');
});
