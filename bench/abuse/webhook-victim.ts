import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createWriter } from '../../src/index/write/writer.ts';
import { createChainMetadataReader } from '../../src/metadata/token-fields.ts';
import { MadeChain } from '../../test/support/made-chain.ts';
import { createQuietLog } from '../../test/support/quiet-log.ts';
import { decodeMade } from '../../test/support/store-transactions.ts';

/** What the victim saw of its events. */
export interface SeenEvents {
  readonly events: number;
  /** Those that did not come in time. */
  readonly missing: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A webhook of the victim, whose address gets a transaction in every block that is written here. */
export interface WebhookVictim {
  /** How late events of a time are, from the block in the index to the request. */
  readonly watch: (seconds: number) => Promise<SeenEvents>;
  readonly stop: () => Promise<void>;
}

interface WebhookVictimOptions {
  readonly databaseUrl: string;
  readonly url: string;
  readonly apiKey: string;
}

const BLOCK_MS = 250;
const MAX_LATE_MS = 12_000;
const POLL_MS = 20;
const OWNER = 'bench';

/** Accounts that have a transaction in each block, too; anybody may watch them. */
export const BUSY_ACCOUNTS: readonly Buffer[] = Array.from({ length: 40 }, (_, i) => accountOf(i + 1));
const OWN_ACCOUNT = accountOf(1_000_000);

function accountOf(number: number): Buffer {
  const account = Buffer.alloc(33, 0xbe);
  account[0] = 0;
  account.writeUInt32BE(number, 29);
  return account;
}

/** Starts to write blocks, and to receive the events of the victim. */
export async function startWebhookVictim(options: WebhookVictimOptions): Promise<WebhookVictim> {
  const [writtenAtMs, receivedAtMs] = [new Map<number, number>(), new Map<number, number>()];
  const receiver = createServer((request, response) => {
    const seqno = Number(/^\d+-blocks-(\d+)-/.exec(String(request.headers['x-tongate-event-id']))?.[1]);
    if (!receivedAtMs.has(seqno)) receivedAtMs.set(seqno, performance.now());
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  await createHook(options, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
  const blocks = await startBlocks(options.databaseUrl, (seqno) => writtenAtMs.set(seqno, performance.now()));
  // The first one says that the webhook is served.
  while (receivedAtMs.size === 0) await sleep(POLL_MS);

  return {
    async watch(seconds) {
      const sinceMs = performance.now();
      await sleep(seconds * 1000);
      const untilMs = performance.now();
      const written = [...writtenAtMs].filter(([, atMs]) => atMs >= sinceMs && atMs < untilMs);
      const isMissing = () => written.some(([seqno]) => !receivedAtMs.has(seqno));
      while (isMissing() && performance.now() < untilMs + MAX_LATE_MS) await sleep(POLL_MS);
      const delays = written
        .map(([seqno, atMs]) => Math.max(0, (receivedAtMs.get(seqno) ?? Number.POSITIVE_INFINITY) - atMs))
        .sort((a, b) => a - b);
      const at = (share: number): number => delays[Math.floor((delays.length - 1) * share)]!;
      const missing = delays.filter((ms) => ms === Number.POSITIVE_INFINITY).length;
      return { events: delays.length, missing, p50Ms: at(0.5), p99Ms: at(0.99) };
    },
    async stop() {
      await blocks.stop();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

async function createHook({ url, apiKey }: WebhookVictimOptions, hookUrl: string): Promise<void> {
  const response = await fetch(`${url}/api/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      url: hookUrl,
      types: ['transactions'],
      addresses: [`0:${OWN_ACCOUNT.toString('hex', 1)}`],
    }),
  });
  if (response.status !== 201) throw new Error(`The webhook was refused: ${await response.text()}`);
}

/** Writes a masterchain block behind the newest one again and again, with the writer of the indexer. */
async function startBlocks(databaseUrl: string, onWritten: (seqno: number) => void) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('select max(last_seqno) as last from index_chunks');
  const writer = createWriter({
    url: databaseUrl,
    log: createQuietLog(),
    connections: 1,
    metadata: createChainMetadataReader(),
  });
  const chain = new MadeChain();
  let isOver = false;
  const running = (async () => {
    for (let seqno = rows[0].last + 1; !isOver; seqno++) {
      await client.query(
        'insert into index_chunks (first_seqno, last_seqno, done_seqno, owner) values ($1, $1, $1 - 1, $2)',
        [seqno, OWNER],
      );
      const claim = { firstSeqno: seqno, lastSeqno: seqno, doneSeqno: seqno - 1, owner: OWNER };
      await writer.write(claim, { seqnos: [blockOf(chain, seqno)], latest: [], earlier: [] });
      onWritten(seqno);
      await sleep(BLOCK_MS);
    }
  })();
  // Reported by `stop`.
  running.catch(() => {});
  return {
    async stop() {
      isOver = true;
      await running;
      await writer.close();
      await client.end();
    },
  };
}

function blockOf(chain: MadeChain, mcSeqno: number) {
  const transactions = [OWN_ACCOUNT, ...BUSY_ACCOUNTS].map((account, i) =>
    chain.transaction({
      account,
      lt: BigInt(mcSeqno) * 1_000_000n + BigInt(i),
      now: Math.floor(Date.now() / 1000),
      mcSeqno,
      in: chain.external({ to: account, body: { opcode: mcSeqno } }),
    }),
  );
  return decodeMade({ mcSeqno, transactions });
}
