import { Address, type Builder, beginCell, type Message } from '@ton/core';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { readTokenRequest } from '../../src/chain/messages/token-requests.ts';
import { readTransaction } from '../../src/chain/tlb/transaction.ts';
import { accountPrefix, pageNumber, positionOf } from '../../src/index/format/position.ts';
import { WriteStatsRecorder } from '../../src/index/write/copy-in.ts';
import { type TokenEvent, writeEvents } from '../../src/index/write/token-events.ts';
import { type ChainBlock, readChainTransaction } from '../../src/verify/chain-block.ts';
import { SeenRows } from '../../src/verify/check-context.ts';
import { checkEvents } from '../../src/verify/check-events.ts';
import { type Difference, Findings } from '../../src/verify/differences.ts';
import {
  DESCRIPTIONS,
  MESSAGES,
  transactionCell,
  transactionOf,
} from '../chain/support/transaction-samples.ts';
import {
  accountOf,
  CODE_HASH,
  dropMissing,
  type EventTestContext,
  openEventTestContext,
  putItem,
  putMissing,
  putWallet,
} from '../ingest/support/token-events.ts';
import { isTestCluster } from '../support/database.ts';

const SEQNO = 12;
const OWNER = new Address(0, Buffer.alloc(32, 1));
const PAYLOAD = beginCell().storeUint(7, 32).storeRef(beginCell()).endCell();

const head = (opcode: number): Builder => beginCell().storeUint(opcode, 32).storeUint(3, 64);
const BODIES: readonly (readonly [name: string, body: Builder])[] = [
  [
    'wallet',
    head(0x0f8a7ea5)
      .storeCoins(8n)
      .storeAddress(OWNER)
      .storeAddress(null)
      .storeMaybeRef(PAYLOAD)
      .storeCoins(1n),
  ],
  ['wallet', head(0x595f07bc).storeCoins(9n).storeAddress(OWNER).storeMaybeRef(PAYLOAD)],
  ['item', head(0x5fcc3d14).storeAddress(OWNER).storeAddress(OWNER).storeBit(0).storeCoins(4n)],
  ['stranger', head(0x5fcc3d14).storeAddress(OWNER).storeAddress(OWNER).storeBit(0).storeCoins(4n)],
  ['wallet', beginCell().storeUint(0x178d4519, 32)],
];

/** A transaction as both sides read it. */
function bothSides(name: string, body: Builder, lt: bigint) {
  const account = accountOf(name);
  const whole = beginCell().storeBuilder(body).storeMaybeRef(PAYLOAD).endCell();
  const message: Message = { info: { ...MESSAGES.internal.info, src: OWNER, createdLt: 1n }, body: whole };
  const cell = transactionCell({
    ...transactionOf(DESCRIPTIONS['bad state, bounce with negative funds']!, { lt, in: message }),
    address: BigInt(`0x${account.subarray(1).toString('hex')}`),
    endStatus: 'active',
  });
  const bag = readBoc(cell.toBoc());
  const transaction = readTransaction(bag, bag.root, 0);
  const request = readTokenRequest(transaction);
  const at = positionOf(pageNumber(SEQNO, 0), Number(lt));
  const event: TokenEvent | undefined = request && {
    kind: request.kind,
    account,
    lt,
    now: transaction.now,
    at,
    mcSeqno: SEQNO,
    aborted: request.aborted,
    src8: accountPrefix(request.source),
    dst8: request.destination && accountPrefix(request.destination),
  };
  const after = new Map([[account.subarray(1).toString('hex'), { codeHash: CODE_HASH }]]);
  const block = { after } as unknown as ChainBlock;
  return {
    event,
    placed: { account, at, block, transaction: readChainTransaction(cell), isFirst: true, isLast: true },
  };
}

let context: EventTestContext;
const pairs = BODIES.map(([name, body], i) => bothSides(name, body, BigInt(i + 1)));
const placed = pairs.map((pair) => ({ ...pair.placed, mustHaveInMessage: true }));
const events: TokenEvent[] = pairs.flatMap(({ event }) => event ?? []);

beforeAll(async () => {
  context = await openEventTestContext();
});
afterAll(() => context?.close());
beforeEach(() => context.begin());

async function write(): Promise<void> {
  const { client, commit } = await context.open();
  await writeEvents(client, events, { detected: [] }, new WriteStatsRecorder());
  await commit();
}

async function check(): Promise<{ differences: Difference[]; compared: Record<string, number> }> {
  const findings = new Findings();
  const seen = new SeenRows(SEQNO, SEQNO);
  await checkEvents({ db: context.db, findings, seen, mcSeqno: SEQNO, placed });
  return { differences: findings.differences, compared: Object.fromEntries(findings.compared) };
}

const execute = (text: string) => sql.raw(text).execute(context.db);

describe('verification of transfers and burns', () => {
  beforeEach(async () => {
    await putWallet(context.db, 'wallet');
    await putItem(context.db, 'item');
    await write();
  });

  it('finds no difference in a correct index', async () => {
    expect(await check()).toEqual({
      differences: [],
      compared: { jetton_transfers: 1, jetton_burns: 1, nft_transfers: 1 },
    });
  });

  it('accepts rows of former tokens, but not without a transaction', async () => {
    await execute('delete from jetton_wallets');
    expect((await check()).differences).toEqual([]);
    await execute('delete from jetton_transfers');
    expect((await check()).differences).toEqual([]);
    await execute('update jetton_burns set lt = 5');
    expect((await check()).differences).toMatchObject([{ table: 'jetton_burns', column: 'lt' }]);
  });

  it('accepts missing rows from before a code change', async () => {
    await execute(`update jetton_wallets set code_hash = 'other'`);
    await execute('delete from jetton_transfers');
    expect((await check()).differences).toEqual([]);
  });

  it.each([
    ['jetton_transfers', 'acc8', 'acc8 + 1'],
    ['jetton_transfers', 'at', 'at + 1'],
    ['jetton_transfers', 'token8', 'acc8'],
    ['jetton_transfers', 'jetton', `'\\x00'`],
    ['jetton_transfers', 'src8', 'acc8'],
    ['jetton_transfers', 'dst8', 'null'],
    ['jetton_transfers', 'aborted', 'false'],
    ['jetton_burns', 'now', '5'],
    ['jetton_burns', 'src8', 'acc8'],
    ['nft_transfers', 'index', '1'],
    ['nft_transfers', 'token8', 'null'],
    ['nft_transfers', 'collection', 'null'],
    ['nft_transfers', 'dst8', 'acc8'],
  ])('reports a wrong value: %s.%s', async (table, column, value) => {
    // It decides where the row is, so it cannot be changed.
    if (column === 'acc8' && isTestCluster()) return;
    await execute(`update ${table} set ${column} = ${value}`);
    expect((await check()).differences).toMatchObject([{ table, column }]);
  });

  it.each(['jetton_transfers', 'jetton_burns', 'nft_transfers'])(
    'reports missing rows: %s',
    async (table) => {
      await execute(`delete from ${table}`);
      expect((await check()).differences).toMatchObject([{ table, expected: 'a row', found: undefined }]);
    },
  );
});

describe('verification of waiting events', () => {
  beforeEach(async () => {
    await putMissing(context.db, 'wallet', 'item', 'stranger');
    await write();
  });

  it('finds no difference in a correct index', async () => {
    expect(await check()).toEqual({ differences: [], compared: { waiting_events: 4 } });
  });

  it('reports wrong events and events of detected accounts', async () => {
    await execute(`update waiting_events set dst8 = 77 where kind = 'jetton_transfer'`);
    await dropMissing(context.db, 'item');
    const { differences } = await check();
    expect(differences).toHaveLength(2);
    expect(differences).toContainEqual(
      expect.objectContaining({ table: 'waiting_events', column: 'dst8', found: '77' }),
    );
    expect(differences).toContainEqual(
      expect.objectContaining({ table: 'waiting_events', expected: undefined, found: 'a row' }),
    );
  });
});
