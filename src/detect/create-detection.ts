import { type AccountId, accountKey } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import { CellError } from '../chain/boc/cells.ts';
import { methodIdByName } from '../chain/contracts/method-ids.ts';
import { type ContractReader, InterfaceMismatch } from '../chain/contracts/probe.ts';
import { troubleOf } from '../db/errors.ts';
import { CONTRACT_TABLES, type ContractTable } from '../db/tables/contract-tables.ts';
import type { Db } from '../db/tables/tables.ts';
import { readAccountData } from '../index/read/accounts.ts';
import type { ContractColumns, DetectionResult, FoundContract } from '../index/write/write-contracts.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import type { Log } from '../lib/log.ts';
import { createThrottledLog } from '../lib/retry.ts';
import type { FetchPool } from '../lite/fetch-context.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import { LibraryCache } from '../live/caches.ts';
import type { Vm } from '../vm/vm.ts';
import {
  BatchLibraries,
  BatchScope,
  type ConfigCache,
  ConfigReader,
  createConfigCache,
  LiteQueries,
  type ReadConfig,
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
  Detection,
  DetectionBatch,
  DetectionSession,
  DetectionState,
  DetectionStats,
  Detector,
  KnownContracts,
  MutableDetectionStats,
} from './detection.ts';
import { GasBudget } from './gas-budget.ts';
import { createMethodCache, heldContract, type MethodCache, MethodRunner } from './get-methods.ts';
import { type FindKnownContracts, NO_KNOWN_CONTRACTS } from './known-contracts.ts';
import { runTogether } from './run-together.ts';

export interface DetectionOptions
  extends Pick<DetectionParts, 'vm' | 'db' | 'pool' | 'check' | 'log' | 'known'> {
  readonly detectors: readonly Detector[];
  /** Where the configuration comes from, if not from lite servers. */
  readonly readConfig?: ReadConfig | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

export interface CountedDetection extends Detection {
  /** Totals since creation. */
  stats(): DetectionStats;
}

/** Creates detection: its sessions share the caches of codes, libraries and get-method results. */
export function createDetection(options: DetectionOptions): CountedDetection {
  const { detectors, log, now = () => performance.now() } = options;
  const stats: MutableDetectionStats = { runs: 0, hits: 0, accounts: 0, queries: 0, busyMs: 0 };
  const parts: DetectionParts = {
    ...options,
    log: createThrottledLog(log, now),
    plan: createPlans(detectors),
    codes: new CodeCache(options.db),
    libraries: new LibraryCache(),
    configs: createConfigCache(),
    methods: createMethodCache(),
    gas: new GasBudget(now),
    stats,
  };
  return {
    open: (options) => createSession(parts, options),
    mayFind(contract) {
      const code = parts.codes.add(contract);
      return code.library !== undefined || parts.plan(code).length > 0;
    },
    stats: () => ({ ...stats }),
  };
}

interface PlannedState {
  readonly state: DetectionState;
  readonly code: Code;
  readonly detectors: readonly Detector[];
}

const CONCURRENT_ACCOUNTS = 24;
/** Enough to send runs of get-methods several at once. */
const CONCURRENT_ACCOUNTS_IN_BULK = 64;
/** Accounts whose data is read with one query. */
const ACCOUNTS_PER_QUERY = 500;

function createSession(
  parts: DetectionParts,
  { follows, inBulk = false }: Parameters<Detection['open']>[0],
): DetectionSession {
  const { stats } = parts;
  const cache: SessionCache = {
    follows,
    inBulk,
    others: createOtherContractCache(),
    known: NO_KNOWN_CONTRACTS,
    configs: new ConfigReader(parts.configs, follows, parts.readConfig),
  };
  return {
    async detect(batch) {
      const startMs = performance.now();
      batch.signal.throwIfAborted();
      try {
        const result = await detectBatch(parts, cache, batch);
        batch.signal.throwIfAborted();
        stats.accounts += batch.states.length - result.undetected.size;
        return result;
      } finally {
        stats.busyMs += performance.now() - startMs;
      }
    },
  };
}

async function detectBatch(parts: DetectionParts, cache: SessionCache, batch: DetectionBatch) {
  const { follows, others, configs } = cache;
  if (follows) for (const { account } of batch.states) others.delete(bytesKey(account));
  else others.clear();
  const scope = new BatchScope(batch);
  const queries = new LiteQueries(parts, scope);
  const block = follows ? batch.block : undefined;
  const libraries = new BatchLibraries(parts.libraries, queries, scope, block);
  const codes = await findCodes(parts, batch);
  const areResolved = await orUndecided(libraries.resolve(codes.values()).then(() => true));
  const result = new ResultCollector();
  const planned: PlannedState[] = [];
  for (const state of batch.states) {
    const code = state.codeHash && codes.get(bytesKey(state.codeHash));
    const isNothing = state.codeHash === undefined || state.dataHash === undefined;
    if (!state.isMissing && isNothing) result.add(state);
    else if (state.isMissing || code === undefined) result.addUndetected(state);
    else if (code.library !== undefined && !areResolved) result.addUndetected(state);
    else {
      const detectors = parts.plan(code);
      if (detectors.length === 0) result.add(state);
      else planned.push({ state, code, detectors });
    }
  }
  if (planned.length === 0) {
    configs.skip(batch);
    return result;
  }
  const open: OpenBatch = { batch, scope, queries, libraries, codes, block };
  const knownBefore = cache.known;
  const context = await orUndecided(openBatchContext(parts, cache, open));
  result.freshZones = freshZones(knownBefore, cache.known);
  for (let at = 0; at < planned.length; at += ACCOUNTS_PER_QUERY) {
    const some = planned.slice(at, at + ACCOUNTS_PER_QUERY);
    const findings = context && (await findAll(parts, open, context, some, cache.inBulk));
    some.forEach(({ state }, i) => {
      const found = findings?.[i];
      if (found === undefined) result.addUndetected(state);
      else result.add(state, found);
    });
  }
  return result;
}

/** Newly found zones; none on networks with fixed zones. */
function freshZones(before: KnownContracts, now: KnownContracts): Buffer[] {
  const known = new Set(before.zones.map(({ collection }) => bytesKey(collection.hash)));
  return now.zones.flatMap(({ collection: { workchain, hash } }) =>
    known.has(bytesKey(hash)) ? [] : [accountKey(workchain, hash)],
  );
}

function findCodes({ codes }: DetectionParts, batch: DetectionBatch): Promise<ReadonlyMap<string, Code>> {
  const keys = new Set<string>();
  for (const { codeHash } of batch.states) if (codeHash !== undefined) keys.add(bytesKey(codeHash));
  return codes.find(keys, new Map(batch.codes.map((code) => [bytesKey(code.hash), code])));
}

/** Findings for each contract; undefined where they cannot be determined now. */
async function findAll(
  { db, log }: DetectionParts,
  { batch, scope }: OpenBatch,
  context: BatchContext,
  planned: readonly PlannedState[],
  inBulk: boolean,
): Promise<(Findings | undefined)[]> {
  if (scope.limit.aborted) return [];
  const wanted = planned.filter(({ state }) => state.data === undefined);
  const rows = await readAccountData(
    db,
    wanted.map(({ state }) => state.account),
  );
  const kept = new Map(rows.map((row) => [bytesKey(row.account), row]));
  const concurrency = inBulk ? CONCURRENT_ACCOUNTS_IN_BULK : CONCURRENT_ACCOUNTS;
  return mapInOrder(planned, concurrency, async ({ state, code, detectors }) => {
    const key = bytesKey(state.account);
    const row = kept.get(key);
    const data = state.data ?? (row?.hash.equals(state.dataHash!) ? row.boc : undefined);
    if (data === undefined || scope.limit.aborted) return undefined;
    const contract = heldContract(key, code, state.dataHash, data, state.balance);
    const probe = new ContractProbe(context, contract, state.timestamp);
    try {
      return await runDetectors(detectors, probe, context.known);
    } catch (error) {
      if (batch.signal.aborted || troubleOf(error) !== undefined) throw error;
      if (!(error instanceof Undecided))
        log.warn({ err: error, account: state.account.toString('hex') }, 'Contract detection failed');
      return undefined;
    }
  });
}

/** The result of some work; undefined if it threw Undecided. */
async function orUndecided<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** Shared by all sessions. */
interface DetectionParts {
  readonly vm: Pick<Vm, 'runGetMethod' | 'runGetMethods'>;
  readonly db: Db;
  readonly pool: Pick<FetchPool, 'session'>;
  readonly check: CheckOptions;
  readonly log: Log;
  readonly known: KnownContracts | FindKnownContracts;
  readonly readConfig?: ReadConfig | undefined;
  readonly plan: PlanDetectors;
  readonly codes: CodeCache;
  readonly libraries: LibraryCache;
  readonly configs: ConfigCache;
  readonly methods: MethodCache;
  readonly gas: GasBudget;
  readonly stats: MutableDetectionStats;
}

/** What a session keeps from batch to batch. */
interface SessionCache {
  readonly follows: boolean;
  readonly inBulk: boolean;
  readonly others: OtherContractCache;
  readonly configs: ConfigReader;
  /** As last found. */
  known: KnownContracts;
}

interface OpenBatch {
  readonly batch: DetectionBatch;
  readonly scope: BatchScope;
  readonly queries: LiteQueries;
  readonly libraries: BatchLibraries;
  readonly codes: ReadonlyMap<string, Code>;
  /** The block that lite servers are queried at; the head if undefined. */
  readonly block: BlockId | undefined;
}

interface BatchContext extends ProbeContext {
  readonly known: KnownContracts;
}

/** Prepares the context of the detectors of a batch; throws Undecided when there is no configuration. */
async function openBatchContext(
  parts: DetectionParts,
  cache: SessionCache,
  { batch, scope, queries, libraries, codes, block }: OpenBatch,
): Promise<BatchContext> {
  const config = await cache.configs.read(batch, queries, scope);
  const { vm, methods, gas, stats } = parts;
  const others = new OtherContracts({
    db: parts.db,
    codes: parts.codes,
    cache: cache.others,
    follows: cache.follows,
    queries,
    scope,
    block,
    stateCodes: codes,
    states: new Map(batch.states.map((state) => [bytesKey(state.account), state])),
  });
  const context: ProbeContext = {
    runner: new MethodRunner({
      vm,
      bulkVm: cache.inBulk ? runTogether(vm, scope) : undefined,
      cache: methods,
      stats,
      config: config.vm,
      libraries,
      gas,
      scope,
    }),
    async find(key) {
      const other = await others.find(key);
      if (other !== NO_CONTRACT && other.code.library !== undefined) await libraries.resolve([other.code]);
      return other;
    },
  };
  if (typeof parts.known === 'function') {
    const utime = batch.states.reduce((newest, { timestamp }) => Math.max(newest, timestamp), 0);
    const beside = (account: AccountId) => probeAt(context, account, utime);
    cache.known = await parts.known({ dnsRoot: config.dnsRoot, beside }).catch((error) => {
      if (!(error instanceof Undecided)) throw error;
      return cache.known;
    });
    return { ...context, known: cache.known };
  }
  return { ...context, known: parts.known };
}

type PlanDetectors = (code: Code) => readonly Detector[];

/** Prepares plans for some detectors. Must be quick for codes without detectors, which are the most. */
function createPlans(detectors: readonly Detector[]): PlanDetectors {
  const prepared = detectors.map((detector) => ({
    detector,
    codes: detector.codes && new Set([...detector.codes].map((hex) => bytesKey(Buffer.from(hex, 'hex')))),
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
    // The methods of code without a method dictionary are learnt over time.
    if (code.isOpen || code.library !== undefined) return planOf(code);
    const plan = known.get(code) ?? planOf(code);
    known.set(code, plan);
    return plan;
  };
}

/** Runs detectors on a contract; throws when one of them fails for another reason than a mismatch. */
async function runDetectors(detectors: readonly Detector[], probe: ContractReader, known: KnownContracts) {
  const findings = new Map<ContractTable, ContractColumns | undefined>();
  // Waits for all: none may still run when the account is done.
  const settled = await Promise.allSettled(detectors.map((detector) => detector.detect(probe, known)));
  settled.forEach((outcome, i) => {
    const { table } = detectors[i]!;
    if (outcome.status === 'rejected' && !isMismatch(outcome.reason)) throw outcome.reason;
    // If several detectors write to one table, the first that succeeds counts.
    const columns = outcome.status === 'fulfilled' ? outcome.value : undefined;
    findings.set(table, findings.get(table) ?? columns);
  });
  return findings;
}

function isMismatch(error: unknown): boolean {
  return error instanceof InterfaceMismatch || error instanceof CellError;
}

/** Columns by table, for each detector that ran; undefined for a contract without the interface. */
type Findings = ReadonlyMap<ContractTable, ContractColumns | undefined>;

const NO_FINDINGS: Findings = new Map();

class ResultCollector implements DetectionResult {
  readonly found: FoundContract[] = [];
  readonly withdrawn = new Map<ContractTable, Buffer[]>();
  readonly undetected = new Set<string>();
  freshZones: readonly Buffer[] = [];

  /** Adds an account. It is withdrawn from tables that no detector looked at only if its code may have changed. */
  add(state: DetectionState, findings: Findings = NO_FINDINGS): void {
    const { account, lastTransLt, codeHash, dataHash } = state;
    for (const table of state.mayHaveChangedCode ? CONTRACT_TABLES : findings.keys()) {
      const columns = findings.get(table);
      if (columns === undefined) this.#withdraw(table, account);
      else
        this.found.push({ table, account, lastTransLt, codeHash: codeHash!, dataHash: dataHash!, columns });
    }
  }

  /** Adds an account that cannot be detected now. */
  addUndetected({ account }: DetectionState): void {
    this.undetected.add(bytesKey(account));
  }

  #withdraw(table: ContractTable, account: Buffer): void {
    const accounts = this.withdrawn.get(table);
    if (accounts === undefined) this.withdrawn.set(table, [account]);
    else accounts.push(account);
  }
}
