import type { Kysely } from 'kysely';
import { type AccountId, accountKey } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { CellError } from '../../chain/boc/cells.ts';
import { methodIdByName } from '../../chain/contracts/method-ids.ts';
import { type ContractReader, InterfaceMismatch } from '../../chain/contracts/probe.ts';
import { troubleOf } from '../../db/errors.ts';
import { CONTRACT_TABLES, type ContractTable, type Tables } from '../../db/tables.ts';
import { mapInOrder } from '../../lib/concurrency.ts';
import type { Log } from '../../lib/log.ts';
import type { CheckOptions } from '../../lite/methods/proofs.ts';
import type { Vm } from '../../vm/vm.ts';
import type { FetchPool } from '../fetch/fetch-context.ts';
import { keyOf } from '../hash-key.ts';
import { createThrottledLog } from '../retry.ts';
import { readAccountData } from '../states/state-rows.ts';
import {
  BatchLibraries,
  BatchScope,
  type ConfigCache,
  ConfigReader,
  createConfigCache,
  LibraryCache,
  LiteQueries,
  Undecided,
} from './chain-facts.ts';
import { type Code, CodeCache } from './code.ts';
import {
  ContractProbe,
  createOtherContractCache,
  NO_CONTRACT,
  type OtherContractCache,
  OtherContracts,
  type ProbeContext,
  probeAt,
} from './contract-probe.ts';
import type {
  ContractColumns,
  Detection,
  DetectionStats,
  Detector,
  FoundContract,
  Judge,
  JudgedBatch,
  JudgedState,
  KnownContracts,
  MutableDetectionStats,
  Verdicts,
} from './detection.ts';
import { createMethodCache, dataText, type MethodCache, MethodRunner } from './get-methods.ts';
import type { FindKnownContracts } from './known-contracts.ts';

/** What detection is made of. */
export interface DetectionOptions extends Pick<JudgeParts, 'vm' | 'db' | 'pool' | 'check' | 'log' | 'known'> {
  readonly detectors: readonly Detector[];
}

/** Detection that counts what it does. */
export interface CountedDetection extends Detection {
  /** Since it was created. */
  figures(): DetectionStats;
}

/** Creates detection: what its judges learn of codes, libraries and results of get-methods they share. */
export function createDetection({ detectors, log, ...options }: DetectionOptions): CountedDetection {
  const figures: MutableDetectionStats = { runs: 0, hits: 0, judged: 0, asked: 0, busyMs: 0 };
  const parts: JudgeParts = {
    ...options,
    log: createThrottledLog(log, () => performance.now()),
    plan: createPlans(detectors),
    codes: new CodeCache(options.db),
    libraries: new LibraryCache(),
    configs: createConfigCache(),
    methods: createMethodCache(),
    figures,
  };
  return {
    open: ({ follows }) => createJudge(parts, follows),
    figures: () => ({ ...figures }),
  };
}

/** A state for which detectors run. */
interface PlannedState {
  readonly state: JudgedState;
  readonly code: Code;
  readonly detectors: readonly Detector[];
}

const ACCOUNTS_AT_ONCE = 24;
/** The data of so many accounts is read together. */
const ACCOUNTS_PER_QUERY = 500;
const NO_KNOWN = { zones: [], poolFactory: undefined };

/** Begins to judge the batches of one range. */
function createJudge(parts: JudgeParts, follows: boolean): Judge {
  const { figures } = parts;
  const memory: JudgeCache = {
    follows,
    others: createOtherContractCache(),
    known: NO_KNOWN,
    configs: new ConfigReader(parts.configs, follows),
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

async function judgeBatch(parts: JudgeParts, memory: JudgeCache, batch: JudgedBatch): Promise<Verdicts> {
  const { follows, others, configs } = memory;
  if (follows) for (const { account } of batch.states) others.delete(keyOf(account));
  else others.clear();
  const scope = new BatchScope(batch);
  const asker = new LiteQueries(parts, scope);
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
  const ground = await orUndecided(openBatchContext(parts, memory, open));
  verdicts.freshZones = freshZones(knownBefore, memory.known);
  for (let at = 0; at < planned.length; at += ACCOUNTS_PER_QUERY) {
    const some = planned.slice(at, at + ACCOUNTS_PER_QUERY);
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
  ground: BatchContext,
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
      key,
      code,
      dataKey: keyOf(state.dataHash!),
      data: dataText(data),
      balance: state.balance,
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

/** What all judges have in common. */
interface JudgeParts {
  readonly vm: Pick<Vm, 'runGetMethod'>;
  readonly db: Kysely<Tables>;
  readonly pool: Pick<FetchPool, 'session'>;
  readonly check: CheckOptions;
  readonly log: Log;
  readonly known: KnownContracts | FindKnownContracts;
  readonly plan: PlanDetectors;
  readonly codes: CodeCache;
  readonly libraries: LibraryCache;
  readonly configs: ConfigCache;
  readonly methods: MethodCache;
  readonly figures: MutableDetectionStats;
}

/** What a judge keeps from batch to batch. */
interface JudgeCache {
  readonly follows: boolean;
  readonly others: OtherContractCache;
  readonly configs: ConfigReader;
  /** As they were last found. */
  known: KnownContracts;
}

/** A batch that is being judged. */
interface OpenBatch {
  readonly batch: JudgedBatch;
  readonly scope: BatchScope;
  readonly asker: LiteQueries;
  readonly libraries: BatchLibraries;
  /** The codes of its states. */
  readonly codes: ReadonlyMap<string, Code>;
  /** As of which lite servers are asked; the head if left out. */
  readonly block: BlockId | undefined;
}

/** What detectors of a batch are given. */
interface BatchContext extends ProbeContext {
  readonly known: KnownContracts;
}

/** Makes ready what detectors of a batch need; throws Undecided when there is no configuration. */
async function openBatchContext(
  parts: JudgeParts,
  memory: JudgeCache,
  { batch, scope, asker, libraries, codes, block }: OpenBatch,
): Promise<BatchContext> {
  const config = await memory.configs.read(batch, asker, scope);
  const { vm, methods, figures } = parts;
  const others = new OtherContracts({
    db: parts.db,
    codes: parts.codes,
    memory: memory.others,
    follows: memory.follows,
    asker,
    scope,
    block,
    stateCodes: codes,
    states: new Map(batch.states.map((state) => [keyOf(state.account), state])),
  });
  const ground: ProbeContext = {
    runner: new MethodRunner({ vm, memory: methods, figures, config: config.vm, libraries, scope }),
    async find(key) {
      const other = await others.find(key);
      if (other !== NO_CONTRACT && other.code.library !== undefined) await libraries.resolve([other.code]);
      return other;
    },
  };
  if (typeof parts.known === 'function') {
    const utime = batch.states.reduce((newest, { timestamp }) => Math.max(newest, timestamp), 0);
    const beside = (account: AccountId) => probeAt(ground, account, utime);
    memory.known = await parts.known({ dnsRoot: config.dnsRoot, beside }).catch((error) => {
      if (!(error instanceof Undecided)) throw error;
      return memory.known;
    });
    return { ...ground, known: memory.known };
  }
  return { ...ground, known: parts.known };
}

/** Says which detectors may recognise contracts of a code. */
type PlanDetectors = (code: Code) => readonly Detector[];

/** Prepares plans for some detectors. Most codes have none, so to find that out must be quick. */
function createPlans(detectors: readonly Detector[]): PlanDetectors {
  const prepared = detectors.map((detector) => ({
    detector,
    codes: detector.codes && new Set([...detector.codes].map((hex) => keyOf(Buffer.from(hex, 'hex')))),
    lists: detector.methods.map((names) => names.map(methodIdByName)),
  }));
  const known = new WeakMap<Code, readonly Detector[]>();
  const planOf = (code: Code): readonly Detector[] => {
    const plan = prepared.filter(({ codes, lists }) => {
      if (codes?.has(code.key) === false) return false;
      return lists.length === 0 || lists.some((ids) => ids.every((id) => code.has(id)));
    });
    return plan.map(({ detector }) => detector);
  };
  return (code) => {
    // What code that does not tell its methods has, is learnt by and by.
    if (code.isOpen || code.library !== undefined) return planOf(code);
    const plan = known.get(code) ?? planOf(code);
    known.set(code, plan);
    return plan;
  };
}

/** Runs detectors on a contract; throws when what one of them says is not to be had. */
async function runDetectors(
  detectors: readonly Detector[],
  probe: ContractReader,
  known: KnownContracts,
): Promise<Findings> {
  const findings = new Map<ContractTable, ContractColumns | undefined>();
  // All to their end: none may go on when the account is done with.
  const settled = await Promise.allSettled(detectors.map((detector) => detector.detect(probe, known)));
  settled.forEach((outcome, i) => {
    const { table } = detectors[i]!;
    if (outcome.status === 'rejected' && !isRefusal(outcome.reason)) throw outcome.reason;
    // Where several detectors are for one table, the first that succeeds counts.
    const columns = outcome.status === 'fulfilled' ? outcome.value : undefined;
    findings.set(table, findings.get(table) ?? columns);
  });
  return findings;
}

function isRefusal(error: unknown): boolean {
  return error instanceof InterfaceMismatch || error instanceof CellError;
}

/** What the detectors that applied said: columns, or undefined for a contract that is not that. */
type Findings = ReadonlyMap<ContractTable, ContractColumns | undefined>;

const NO_FINDINGS: Findings = new Map();

/** Verdicts while they are collected. */
class VerdictList implements Verdicts {
  readonly found: FoundContract[] = [];
  readonly withdrawn = new Map<ContractTable, Buffer[]>();
  readonly undetected = new Set<string>();
  freshZones: readonly Buffer[] = [];

  /** An account that was judged. Only one that may have been something else goes from tables that were not looked at. */
  add(state: JudgedState, findings: Findings = NO_FINDINGS): void {
    const { account, lastTransLt, codeHash, dataHash } = state;
    for (const table of state.isOther ? CONTRACT_TABLES : findings.keys()) {
      const columns = findings.get(table);
      if (columns === undefined) this.#withdraw(table, account);
      else
        this.found.push({ table, account, lastTransLt, codeHash: codeHash!, dataHash: dataHash!, columns });
    }
  }

  /** An account that cannot be judged now. */
  addUndetected({ account }: JudgedState): void {
    this.undetected.add(keyOf(account));
  }

  #withdraw(table: ContractTable, account: Buffer): void {
    const accounts = this.withdrawn.get(table);
    if (accounts === undefined) this.withdrawn.set(table, [account]);
    else accounts.push(account);
  }
}
