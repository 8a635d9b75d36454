import { Address, beginCell, Cell, type TupleItem } from '@ton/core';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undefinedOnMismatch } from '../../../src/chain/contracts/probe.ts';
import { DETECTORS } from '../../../src/detect/detectors/all-detectors.ts';
import { WriteStatsRecorder } from '../../../src/index/write/copy-in.ts';
import { type FoundContract, writeContracts } from '../../../src/index/write/write-contracts.ts';
import { onChainContent } from '../../../src/localnet/contracts/contract.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { getMethodCode } from '../../support/get-method-code.ts';
import { sampled } from '../../support/long-run.ts';
import {
  ANYCAST,
  address,
  bytes,
  cell,
  EXTERN,
  int,
  key,
  NAN,
  NULL,
  slice,
  somebody,
} from '../support/stack-items.ts';
import { openTestProbes, type TestProbes } from '../support/test-probe.ts';
import { CONTENT, PARENT, PARENTS, SELF, TOKENS } from '../support/token-contract-results.ts';

const NAMES = [
  'jetton_masters',
  'jetton_wallets',
  'nft_collections',
  'nft_items',
  'telemint_items',
  'dns_entries',
];
const TOKEN_DETECTORS = DETECTORS.filter(({ table }) => NAMES.includes(table));
const collection = { workchain: 0, hash: PARENT.hash };
const RUNS = sampled(5, 60);

const aCell: fc.Arbitrary<Cell> = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bits) => beginCell().storeBuffer(Buffer.from(bits)).endCell()),
  fc
    .string({ unit: 'binary', maxLength: 60 })
    .map((text) => beginCell().storeUint(1, 8).storeStringTail(text).endCell()),
  fc
    .dictionary(
      fc.constantFrom('name', 'symbol', 'image_data', 'uri', 'other'),
      fc.string({ unit: 'binary', maxLength: 60 }),
    )
    .map(onChainContent),
  fc.uint8Array({ minLength: 1, maxLength: 30 }).map((bits) => {
    const inner = beginCell().storeBuffer(Buffer.from(bits)).endCell();
    return beginCell()
      .storeUint(bits[0]! & 1, 8)
      .storeBit(1)
      .storeRef(inner)
      .storeRef(inner)
      .endCell();
  }),
);
const anEntry: fc.Arbitrary<TupleItem> = fc.oneof(
  fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }).map(int),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(int),
  aCell.map(cell),
  aCell.map(slice),
  fc.string({ unit: 'binary', maxLength: 20 }).map(bytes),
  fc.constantFrom(NULL, NAN, EXTERN, ANYCAST, address(null), address(SELF), address(PARENT), CONTENT),
  fc.constant<TupleItem>({ type: 'tuple', items: [NULL, int(1)] }),
);

/** A valid result with some entries replaced, or an arbitrary one. */
function like(right: readonly TupleItem[]): fc.Arbitrary<TupleItem[]> {
  const nearly = fc.tuple(
    ...right.map((entry) =>
      fc.oneof({ weight: 9, arbitrary: fc.constant(entry) }, { weight: 1, arbitrary: anEntry }),
    ),
  );
  return fc.oneof(
    { weight: 9, arbitrary: nearly },
    { weight: 1, arbitrary: fc.array(anEntry, { maxLength: 8 }) },
  );
}

const methodsLike = (right: typeof TOKENS) =>
  fc.record(Object.fromEntries(Object.entries(right).map(([name, result]) => [name, like(result)])));

describe('token detectors on random results', { timeout: sampled(600_000, 600_000) }, () => {
  let probes: TestProbes;
  let context: TestDatabase;
  beforeAll(async () => {
    probes = openTestProbes();
    context = await createTestDatabase();
  });
  afterAll(async () => {
    await probes?.close();
    await context?.drop();
  });

  it('return a mismatch or storable columns', async () => {
    const found: FoundContract[] = [];
    const zone = fc.constantFrom('ton' as const, 't.me' as const);
    const property = fc.asyncProperty(
      methodsLike(TOKENS),
      methodsLike(PARENTS),
      zone,
      async (own, parents, zone) => {
        const known = { zones: [{ zone, collection }], poolFactory: undefined };
        probes.put({ account: PARENT, code: getMethodCode(parents), data: Cell.EMPTY });
        const self = probes.put({ account: SELF, code: getMethodCode(own), data: Cell.EMPTY });
        for (const { table, detect } of TOKEN_DETECTORS) {
          const columns = await undefinedOnMismatch(detect(self, known));
          if (columns !== undefined) found.push(asFound(table, columns, found.length));
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    const client = new pg.Client({ connectionString: context.url });
    await client.connect();
    try {
      await putStates(client, found);
      await writeContracts(
        client,
        { found, withdrawn: new Map(), undetected: new Set() },
        new WriteStatsRecorder(),
      );
      for (const { table, account, columns } of found) {
        const { rows } = await client.query(`select * from ${table} where account = $1`, [account]);
        expect(rows[0], table).toMatchObject(asRead(columns));
      }
    } finally {
      await client.end();
    }
    // Every kind was detected at least once.
    expect([...new Set(found.map(({ table }) => table))].sort()).toEqual(NAMES.toSorted());
  });
});

function asFound(table: FoundContract['table'], columns: FoundContract['columns'], n: number): FoundContract {
  const hash = Buffer.alloc(32);
  hash.writeUInt32BE(n, 0);
  return {
    table,
    columns,
    lastTransLt: 5n,
    codeHash: somebody(5).hash,
    dataHash: somebody(6).hash,
    account: key(new Address(0, hash)),
  };
}

/** Latest states of the found contracts; rows are written only for accounts with a state. */
async function putStates(client: pg.Client, found: readonly FoundContract[]): Promise<void> {
  await client.query(
    `insert into latest_account_states
       (account, hash, status, balance, last_trans_lt, last_trans_hash, timestamp, mc_seqno)
     select account, $2, 'active', 0, 5, $2, 0, 0 from unnest($1::bytea[]) account`,
    [found.map(({ account }) => account), somebody(7).hash],
  );
}

/** Columns as the driver reads them: numbers are decimal texts. */
function asRead(columns: object): object {
  const read = ([name, value]: [string, unknown]) => [
    name,
    typeof value === 'bigint' ? String(value) : value,
  ];
  return Object.fromEntries(Object.entries(columns).map(read));
}
