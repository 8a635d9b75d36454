import { beginCell, toNano } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VALIDATOR_TABLES } from '../../../src/db/tables/validator-tables.ts';
import { createRenewablePool, type RenewablePool } from '../../../src/lite/renewable-pool.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { openLiteServer } from '../../../src/localnet/chain/start-localnet.ts';
import { fileComplaint, recoverStake, voteForComplaint } from '../../../src/localnet/contracts/elector.ts';
import { createDemoChain, type DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import { openDemoLocalnet } from '../../localnet/support/demo-localnet.ts';
import {
  electorData,
  holdElections,
  openValidators,
  type TestValidator,
} from '../../localnet/support/elections.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { openVerifier, verifyIndex } from '../../support/verify-index.ts';
import { buildV3App, NO_INDEX } from '../../v3/support/build-app.ts';
import { openChainPool, rowsOf } from '../support/index-tables.ts';
import {
  type Indexer,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilElectorIsKnown,
  untilNothingIsMissing,
} from '../support/test-indexer.ts';
import { type ElectorView, viewElector } from './elector-methods.ts';

/** Elected validator sets; that of the zero state, and the one that ends so that there are elections, come before. */
const SETS = sampled(1, 5);
const log = createQuietLog();
const vm = sharedVm();

let localnet: Localnet;
let chain: DemoChain;
let pool: RenewablePool;
let configPath: string;
let closeServer: () => Promise<void>;
let validators: TestValidator[];
let elections: number[];
let context: Awaited<ReturnType<typeof indexChain>>;
let app: FastifyInstance;
let head: number;

/** The content of the tables; the blocks that rows were read from may be others after a roll-back. */
async function dump({ database }: Pick<TestIndexer, 'database'>, withSources = true) {
  const tables = VALIDATOR_TABLES.map(async (table) => {
    const rows = await rowsOf(database.primary, `select * from ${table} order by 1, 2, 3`);
    return [
      table,
      rows.map(({ source_seqno, source_utime, ...row }) =>
        withSources ? { ...row, source_seqno, source_utime } : row,
      ),
    ];
  });
  return Object.fromEntries(await Promise.all(tables)) as Record<string, Record<string, unknown>[]>;
}

/** A new index of the whole chain. */
async function indexChain(options: Parameters<TestIndexer['indexer']>[1]) {
  const one = await openTestIndexer();
  const indexer = one.indexer(pool, { mayRestart: true, ...options });
  indexer.start();
  await settle(one, indexer);
  await untilNothingIsMissing(one);
  return { ...one, running: indexer };
}

/** Waits until all blocks of the chain are indexed, with the states of the elector. */
async function settle(one: TestIndexer, indexer: Indexer): Promise<void> {
  const { seqno } = localnet.store.head;
  await pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
  await until(indexer, isComplete(seqno));
  await untilElectorIsKnown(one);
}

/** One validator complains about another one of the last election, and all but one vote for it. */
async function complain(electionId: number): Promise<void> {
  const [first, second, third] = validators as [TestValidator, TestValidator, TestValidator];
  const description = beginCell().storeStringTail('missed blocks').endCell();
  const options = { queryId: 7n, electionId, description, severity: 1, suggestedFine: toNano('500') };
  const file = (publicKey: Buffer) => first.send(toNano('200'), fileComplaint({ ...options, publicKey }));
  await chain.deliver([file(second.key.publicKey)]);
  await chain.deliver([file(third.key.publicKey)]);
  const hash = electorData(chain).pastElections.find(({ id }) => id === electionId)!.complaints[0]!.hash;
  for (const [index, { key }] of [third, second, first].entries())
    if (index < 2) {
      const vote = { queryId: 9n, electionId, complaintHash: hash, index, key };
      await chain.deliver([first.send(toNano('2'), voteForComplaint(vote))]);
    }
}

beforeAll(async () => {
  const folder = makeTemporaryDirectory('elected');
  localnet = await openDemoLocalnet(folder, vm);
  chain = createDemoChain(localnet);
  await localnet.drain();
  const server = await openLiteServer(folder, {
    store: localnet.store,
    host: '127.0.0.1',
    port: 0,
    now: localnet.now,
    log,
  });
  closeServer = () => server.close();
  validators = await openValidators(chain, [1, 2, 3]);
  elections = await holdElections(chain, validators, SETS);
  await complain(elections.at(-1)!);
  const [first] = validators as [TestValidator];
  // One has got nothing to recover, and stakes are rejected.
  await chain.deliver([first.send(toNano('1'), recoverStake(3n))]);
  await chain.deliver([first.send(toNano('1'), recoverStake(4n))]);
  await chain.deliver([first.stake(5, toNano('20000'), 5n)]);
  configPath = server.globalConfigPath;
  pool = await createRenewablePool(() => openChainPool(configPath, log));
  head = localnet.store.head.seqno;
  context = await indexChain({ lanes: 0 });
  app = await buildV3App({ ports: { ...NO_INDEX, database: context.database } });
}, 300_000);
afterAll(async () => {
  await app?.close();
  await context?.close();
  await pool?.close();
  await closeServer?.();
  await localnet?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
const ask = async (name: string): Promise<any> =>
  (await app.inject({ url: `/api/v3/validators/${name}` })).json();

describe('an elected chain', () => {
  it('has every election, cycle and complaint as the get-methods of the elector say at the same blocks', async () => {
    const db = context.database.primary;
    const keyBlocks = new Set(
      (await rowsOf(db, 'select mc_seqno from blocks where key_block')).map(({ mc_seqno }) => mc_seqno),
    );
    const views: ElectorView[] = [];
    for (let seqno = 1; seqno <= head; seqno++) views.push(await viewElector({ localnet, vm, pool }, seqno));
    const found = new Map<number, object>();
    const participants = new Map<number, Map<string, Participant>>();
    const cycles = new Map<number, ReturnType<typeof cycleOf>>();
    const complaints = new Map<string, ElectorView['complaints'][number]>();
    /** The blocks that elections and cycles were last seen at. */
    const sources = { elections: new Map<number, number>(), cycles: new Map<number, number>() };
    for (const [at, view] of views.entries()) {
      const { election, seqno } = view;
      const isNew = view.dataHash !== views[at - 1]?.dataHash;
      if (isNew && election !== undefined) {
        const { election_id: id } = election.row;
        found.set(id, election.row);
        sources.elections.set(id, seqno);
        const known = participants.get(id) ?? new Map();
        for (const one of election.participants) known.set(one.validator_pubkey, one);
        participants.set(id, known);
      }
      for (const one of isNew ? view.complaints : []) complaints.set(one.complaint_hash, one);
      if (!keyBlocks.has(seqno)) continue;
      for (const one of view.sets.values()) {
        const { since } = one.set;
        cycles.set(since, cycleOf(one, view, cycles.get(since)));
        sources.cycles.set(since, seqno);
      }
    }

    const { complaints: judged } = await ask('complaints?sort=asc');
    expect(judged).toHaveLength(2);
    for (const one of judged) {
      const { voters, remaining, ...expected } = complaints.get(one.complaint_hash)!;
      expect(one).toMatchObject(expected);
      expect(one.voted_validators.map((vote: { validator_index: number }) => vote.validator_index)).toEqual(
        voters,
      );
      expect(one.is_passed).toBe(remaining < 0n);
      if (voters.length > 0) expect(one.weight_remaining).toBe(`${remaining}`);
    }
    expect(
      judged.map(({ voted_validators }: { voted_validators: object[] }) => voted_validators.length).sort(),
    ).toEqual([0, 2]);

    const expectedCycles = [...cycles.values()]
      .sort((a, b) => a.cycle_start - b.cycle_start)
      .map((cycle) => ({
        ...cycle,
        ...stakeRange(cycle),
        validators: cycle.validators.map((validator) => {
          const { stake_holder_address, max_factor } =
            participants.get(cycle.election_id ?? 0)?.get(validator.validator_pubkey) ?? {};
          const about = judged.filter(
            (one: { cycle_start: number; validator_pubkey: string }) =>
              one.cycle_start === cycle.cycle_start && one.validator_pubkey === validator.validator_pubkey,
          );
          return { ...validator, stake_holder_address, max_factor, complaints: about };
        }),
      }));
    const { cycles: known } = await ask('cycles?return_validators=true&sort=asc&limit=100');
    expect(known).toEqual(expectedCycles);
    const elected = expectedCycles.filter(({ election_id }) => election_id !== undefined);
    expect(elected.map(({ election_id }) => election_id)).toEqual(elections);
    expect(elected.every(({ validators: { length } }) => length === validators.length)).toBe(true);
    expect(new Set(elected.map(({ cycle_start }) => cycle_start)).size).toBe(SETS);

    const { elections: shown } = await ask('elections?return_participants=true&sort=asc&limit=100');
    const expectedElections = [...found].map(([id, row]) => {
      const list = [...participants.get(id)!.values()].sort(
        (a, b) =>
          Number(BigInt(b.stake) - BigInt(a.stake)) || (a.validator_pubkey < b.validator_pubkey ? -1 : 1),
      );
      const cycle = expectedCycles.find(({ election_id }) => election_id === id);
      const placed = list.map((one) => ({
        ...one,
        validator_index: cycle?.validators.find(
          ({ validator_pubkey: pubkey }) => pubkey === one.validator_pubkey,
        )?.validator_index,
      }));
      return {
        ...row,
        total_participants: list.length,
        ...(placed.length > 0 && { participants: placed }),
      };
    });
    expect(shown).toEqual(expectedElections);
    expect(shown.length).toBeGreaterThanOrEqual(SETS);

    const stored = async (table: string, key: string) =>
      new Map(
        (await rowsOf(db, `select ${key}::integer as id, source_seqno from ${table} order by 1`)).map(
          ({ id, source_seqno }) => [id, source_seqno],
        ),
      );
    expect(await stored('validator_elections', 'election_id')).toEqual(sources.elections);
    expect(await stored('validator_cycles', 'cycle_start')).toEqual(sources.cycles);
  }, 300_000);

  it('has what happened to every stake', async () => {
    const { events } = await ask('events?limit=1000&sort=asc');
    const counts = Map.groupBy(events as { type: string }[], ({ type }) => type);
    expect(counts.get('stake_accepted')).toHaveLength(SETS * validators.length);
    expect(counts.get('recover_requested')).toHaveLength(2);
    expect(counts.get('stake_rejected')?.length).toBe(1);
    expect((counts.get('stake_recovered')?.length ?? 0) + (counts.get('recover_failed')?.length ?? 0)).toBe(
      2,
    );
  });

  describe('indexed in another order of chunks', () => {
    let other: Awaited<ReturnType<typeof indexChain>>;
    beforeAll(async () => {
      other = await indexChain({ lanes: 2, chunkSeqnos: 7 });
    }, 300_000);
    afterAll(() => other?.close());

    it('has the same rows', async () => {
      const expected = await dump(context);
      expect(await dump(other)).toEqual(expected);
      if (!isLongRun) return;
      const third = await indexChain({ lanes: 1, chunkSeqnos: 3 });
      expect(await dump(third)).toEqual(expected);
      await third.close();
    }, 300_000);

    it('has the same rows if states of the elector were missing at first', async () => {
      const expected = await dump(context);
      const db = other.database.primary;
      const states = VALIDATOR_TABLES.filter((table) => table !== 'validator_events');
      await sql.raw(`truncate ${states.join(', ')}`).execute(db);
      const sources = Object.values(expected).flatMap((rows) =>
        rows.flatMap((row) => (row.source_seqno === undefined ? [] : [Number(row.source_seqno)])),
      );
      const keyBlocks = await rowsOf(db, 'select mc_seqno from blocks where key_block');
      const missing = new Set([...sources, ...keyBlocks.map(({ mc_seqno }) => Number(mc_seqno))]);
      await db
        .insertInto('missing_elector_states')
        .values([...missing].map((mc_seqno) => ({ mc_seqno })))
        .execute();
      await untilElectorIsKnown(other);
      expect(await dump(other)).toEqual(expected);
    }, 300_000);

    it('goes back with the chain', async () => {
      await localnet.snapshot('cut');
      const before = await dump(other, false);
      // So that the set that ends the current one does not start at the same time.
      await chain.advanceTo(chain.now() + 10);
      await holdElections(chain, validators, 1);
      await complain(electorData(chain).activeId);
      await settle(other, other.running);
      expect(await dump(other, false)).not.toEqual(before);
      await localnet.restore('cut');
      await pool.renew();
      // The other index is verified below.
      await Promise.all([context, other].map(({ running }) => running.followRestoredChain()));
      expect(await dump(other, false)).toEqual(before);
      // A short run does with the comparison above: what it was before is verified below, in the other index.
      if (!isLongRun) return;
      const { differences } = await verifyIndex(configPath, {
        db: other.database.primary,
        from: 1,
        to: localnet.store.head.seqno,
      });
      expect(differences).toEqual([]);
    }, 300_000);
  });

  it('is verified without differences, and wrong rows are found', async () => {
    const db = context.database.primary;
    const verifier = await openVerifier(configPath);
    // The last election and what is complained of; a short run compares no more with blocks.
    const from = sampled(Math.floor(head / 4), 1);
    const verify = () => verifier.verify({ db, from, to: head });
    const { differences, compared, skipped } = await verify();
    expect(differences).toEqual([]);
    expect([...skipped]).toEqual([]);
    for (const table of VALIDATOR_TABLES.slice(0, -1))
      expect(compared.get(table) ?? 0, table).toBeGreaterThan(0);
    await db
      .updateTable('validator_events')
      .set({ amount: '1' })
      .where('type', '=', 'stake_accepted')
      .execute();
    await db.updateTable('validator_cycles').set({ total_stake: '1' }).execute();
    await db.updateTable('validator_cycle_members').set({ stake: '1' }).where('index', '=', 0).execute();
    const wrong = await verify();
    const places = new Set(wrong.differences.map(({ table, column }) => `${table}.${column}`));
    expect([...places].sort()).toEqual([
      'validator_cycle_members.stake',
      'validator_cycles.total_stake',
      'validator_events.amount',
    ]);
    await verifier.close();
  }, 300_000);
});

type Participant = NonNullable<ElectorView['election']>['participants'][number];

/** What is known of a cycle from earlier blocks. */
interface KnownCycle {
  readonly election_id: number | undefined;
  readonly total_stake: string | undefined;
  readonly validators: readonly { readonly stake: string | undefined }[];
}

/** A cycle as the routes show it, without what comes from the participants, with the greatest stakes of what was seen before. */
function cycleOf(
  { set, hash }: NonNullable<ReturnType<ElectorView['sets']['get']>>,
  { past, rules }: ElectorView,
  before: KnownCycle | undefined,
) {
  const election = past.find(({ setHash }) => setHash === hash);
  return {
    election_id: before?.election_id ?? election?.id,
    cycle_start: set.since,
    cycle_end: set.until,
    total: set.validators.length,
    main: set.main,
    total_weight: `${set.totalWeight}`,
    total_stake: greatest(election?.totalStake, before?.total_stake),
    ...rules,
    validators: set.validators.map(({ publicKey, adnlAddress, weight }, index) => {
      const key = publicKey.toString('hex').toUpperCase();
      return {
        validator_index: index,
        validator_pubkey: key,
        adnl_addr: adnlAddress.toString('hex').toUpperCase(),
        weight: `${weight}`,
        stake: greatest(election?.stakes.get(key), before?.validators[index]?.stake),
      };
    }),
  };
}

function greatest(one: bigint | undefined, other: string | undefined): string | undefined {
  if (other === undefined) return one?.toString();
  return one !== undefined && one > BigInt(other) ? one.toString() : other;
}

/** The least and the greatest stake of the members, if all are known. */
function stakeRange({ validators }: KnownCycle) {
  const stakes = validators.map(({ stake }) => (stake === undefined ? undefined : BigInt(stake)));
  const known = stakes.filter((stake) => stake !== undefined).sort((a, b) => (a < b ? -1 : 1));
  if (known.length === 0 || known.length < stakes.length) return {};
  return { min_stake: `${known[0]}`, max_stake: `${known.at(-1)}` };
}
