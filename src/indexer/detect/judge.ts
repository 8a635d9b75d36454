import { accountKey } from '../../chain/address/account-key.ts';
import { troubleOf } from '../../db/trouble.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import { keyOf } from '../hash-key.ts';
import { readAccountData } from '../states/state-rows.ts';
import {
  type BatchGround,
  type JudgeMemory,
  type JudgeParts,
  type OpenBatch,
  openGround,
} from './batch-ground.ts';
import { BatchScope } from './batch-scope.ts';
import type { Code } from './code.ts';
import { ConfigBook } from './config-book.ts';
import { ContractProbe } from './contract-probe.ts';
import type { Judge, JudgedBatch, JudgedState } from './detection.ts';
import type { Detector, KnownContracts } from './detector.ts';
import { dataText } from './held-contract.ts';
import { BatchLibraries } from './library-book.ts';
import { LiteAsker } from './lite-asker.ts';
import { createOtherMemory } from './other-contracts.ts';
import { runDetectors } from './run-detectors.ts';
import { Undecided } from './undecided.ts';
import { type Findings, VerdictList } from './verdict-list.ts';
import type { Verdicts } from './verdicts.ts';

/** A state for which detectors run. */
interface PlannedState {
  readonly state: JudgedState;
  readonly code: Code;
  readonly detectors: readonly Detector[];
}

const ACCOUNTS_AT_ONCE = 24;
/** The data of so many accounts is read together. */
const ACCOUNTS_A_QUERY = 500;
const NO_KNOWN = { zones: [], poolFactory: undefined };

/** Begins to judge the batches of one range. */
export function createJudge(parts: JudgeParts, follows: boolean): Judge {
  const { figures } = parts;
  const memory: JudgeMemory = {
    ...{ follows, others: createOtherMemory(), known: NO_KNOWN },
    configs: new ConfigBook(parts.configs, follows),
  };
  return {
    async judge(batch) {
      const startMs = performance.now();
      batch.signal.throwIfAborted();
      try {
        const verdicts = await judgeBatch(parts, memory, batch);
        batch.signal.throwIfAborted();
        figures.judged += batch.states.length - verdicts.undetected.size;
        return verdicts;
      } finally {
        figures.busyMs += performance.now() - startMs;
      }
    },
  };
}

async function judgeBatch(parts: JudgeParts, memory: JudgeMemory, batch: JudgedBatch): Promise<Verdicts> {
  const { follows, others, configs } = memory;
  if (follows) for (const { account } of batch.states) others.delete(keyOf(account));
  else others.clear();
  const scope = new BatchScope(batch);
  const asker = new LiteAsker(parts, scope);
  const block = follows ? batch.block : undefined;
  const libraries = new BatchLibraries(parts.libraries, asker, scope, block);
  const codes = await findCodes(parts, batch);
  const areResolved = await orUndecided(libraries.resolve(codes.values()).then(() => true));
  const verdicts = new VerdictList();
  const planned: PlannedState[] = [];
  for (const state of batch.states) {
    const code = state.codeHash && codes.get(keyOf(state.codeHash));
    const isNothing = state.codeHash === undefined || state.dataHash === undefined;
    if (!state.isMissing && isNothing) verdicts.add(state);
    else if (state.isMissing || code === undefined) verdicts.addUndetected(state);
    else if (code.library !== undefined && !areResolved) verdicts.addUndetected(state);
    else {
      const detectors = parts.plan(code);
      if (detectors.length === 0) verdicts.add(state);
      else planned.push({ state, code, detectors });
    }
  }
  if (planned.length === 0) {
    configs.skip(batch);
    return verdicts;
  }
  const open: OpenBatch = { batch, scope, asker, libraries, codes, block };
  const knownBefore = memory.known;
  const ground = await orUndecided(openGround(parts, memory, open));
  verdicts.freshZones = freshZones(knownBefore, memory.known);
  for (let at = 0; at < planned.length; at += ACCOUNTS_A_QUERY) {
    const some = planned.slice(at, at + ACCOUNTS_A_QUERY);
    const findings = ground && (await findAll(parts, open, ground, some));
    some.forEach(({ state }, i) => {
      const found = findings?.[i];
      if (found === undefined) verdicts.addUndetected(state);
      else verdicts.add(state, found);
    });
  }
  return verdicts;
}

/** Zones that were found now; on networks whose zones are settled there are none. */
function freshZones(before: KnownContracts, now: KnownContracts): Buffer[] {
  const known = new Set(before.zones.map(({ collection }) => keyOf(collection.hash)));
  return now.zones.flatMap(({ collection: { workchain, hash } }) =>
    known.has(keyOf(hash)) ? [] : [accountKey(workchain, hash)],
  );
}

function findCodes({ codes }: JudgeParts, batch: JudgedBatch): Promise<ReadonlyMap<string, Code>> {
  const keys = new Set<string>();
  for (const { codeHash } of batch.states) if (codeHash !== undefined) keys.add(keyOf(codeHash));
  return codes.find(keys, new Map(batch.codes.map((code) => [keyOf(code.hash), code])));
}

/** What detectors say of each contract; undefined where that is not to be found out now. */
async function findAll(
  { db, log }: JudgeParts,
  { batch, scope }: OpenBatch,
  ground: BatchGround,
  planned: readonly PlannedState[],
): Promise<(Findings | undefined)[]> {
  if (scope.limit.aborted) return [];
  const wanted = planned.filter(({ state }) => state.data === undefined);
  const rows = await readAccountData(
    db,
    wanted.map(({ state }) => state.account),
  );
  const kept = new Map(rows.map((row) => [keyOf(row.account), row]));
  return mapInOrder(planned, ACCOUNTS_AT_ONCE, async ({ state, code, detectors }) => {
    const key = keyOf(state.account);
    const row = kept.get(key);
    const data = state.data ?? (row?.hash.equals(state.dataHash!) ? row.boc : undefined);
    if (data === undefined || scope.limit.aborted) return undefined;
    const contract = {
      ...{ key, code, dataKey: keyOf(state.dataHash!), data: dataText(data), balance: state.balance },
    };
    try {
      return await runDetectors(
        detectors,
        new ContractProbe(ground, contract, state.timestamp),
        ground.known,
      );
    } catch (error) {
      if (batch.signal.aborted || troubleOf(error) !== undefined) throw error;
      if (!(error instanceof Undecided))
        log.warn({ err: error, account: state.account.toString('hex') }, 'a contract could not be judged');
      return undefined;
    }
  });
}

/** What comes of some work; undefined if it cannot be done now. */
async function orUndecided<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}
