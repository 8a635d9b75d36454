import type { ClientBase } from 'pg';
import { classifyTrace } from '../actions/classify-trace.ts';
import type { Classification } from '../actions/rules/action.ts';
import type { Interfaces, TraceFacts } from '../actions/rules/classifier-input.ts';
import { packTrace, type StoredTrace } from '../index/write/stored-actions.ts';
import type { TakenTrace } from '../index/write/trace-queue.ts';
import { toActionRow } from './action-rows.ts';
import { accountsOfTexts, ContractCache, loadAccountData, loadContracts } from './contracts.ts';
import type { LoadedTrace } from './load-traces.ts';

export interface ClassifiedTrace extends Pick<Classification, 'state' | 'fault'> {
  readonly taken: TakenTrace;
  /** The number of its actions, and these as they are stored; undefined if there are none. */
  readonly actions: number;
  readonly stored: StoredTrace | undefined;
  /** Accounts that rules requested and that are not detected yet. */
  readonly undetected: readonly Buffer[];
}

/** Called when a rule fails on a trace: a bug of ours; the other rules still run. */
type OnRuleFault = (rule: string, fault: unknown, traceId: string) => void;

interface ClassifyOptions {
  readonly onRuleError?: OnRuleFault;
  /** Receives the time spent in rules, without database time. */
  readonly onTime?: (ms: number) => void;
}

/** Maximum rounds until no more accounts are requested; the result of the last round counts. */
const MAX_ROUNDS = 8;
/** Enough that each step runs from the caches of the processor. */
const TRACES_AT_ONCE = 64;

/**
 * Classifies traces; their accounts, and those named in bodies, are looked up for all traces together. Their transactions are
 * decoded for a few traces at a time, and dropped when their actions are packed: those of all would outlive young objects.
 */
export async function classifyTraces(
  client: ClientBase,
  traces: readonly LoadedTrace[],
  { onRuleError: onRuleFault, onTime }: ClassifyOptions = {},
): Promise<ClassifiedTrace[]> {
  const contracts = new ContractCache();
  await loadContracts(client, contracts, new Map(traces.flatMap(({ accounts }) => [...accounts])));
  const classified = new Map<LoadedTrace, ClassifiedTrace>();
  /** Facts of the traces that ask for more accounts. */
  let kept = new Map<LoadedTrace, TraceFacts>();
  let open = traces;
  for (let round = 1; open.length > 0; round++) {
    const [unknown, unknownData] = [new Set<string>(), new Set<string>()];
    const asking = new Map<LoadedTrace, TraceFacts>();
    for (let from = 0; from < open.length; from += TRACES_AT_ONCE) {
      const read = open
        .slice(from, from + TRACES_AT_ONCE)
        .map((trace) => ({ trace, facts: kept.get(trace) ?? trace.readFacts() }));
      const startMs = performance.now();
      const done = read.map(({ trace, facts }) => {
        const interfaces = new RecordingInterfaces(contracts);
        const classification = classifyTrace({ trace: facts, interfaces }, (rule, fault) =>
          onRuleFault?.(rule, fault, facts.traceId),
        );
        return { trace, facts, interfaces, classification };
      });
      onTime?.(performance.now() - startMs);
      for (const one of done) {
        const { trace, facts, interfaces } = one;
        for (const address of interfaces.unknown) unknown.add(address);
        for (const address of interfaces.unknownData) unknownData.add(address);
        const asksForMore = interfaces.unknown.size + interfaces.unknownData.size > 0;
        if (asksForMore && round < MAX_ROUNDS) asking.set(trace, facts);
        else classified.set(trace, toClassified(one));
      }
    }
    kept = asking;
    open = [...asking.keys()];
    if (open.length > 0) await lookUp(client, contracts, unknown, unknownData);
  }
  return traces.map((trace) => classified.get(trace)!);
}

interface Outcome {
  readonly trace: LoadedTrace;
  readonly facts: TraceFacts;
  readonly classification: Classification;
  readonly interfaces: RecordingInterfaces;
}

function toClassified({ trace, facts, classification, interfaces }: Outcome): ClassifiedTrace {
  const { taken, accounts } = trace;
  const { state, fault, actions } = classification;
  const rows = actions.map((action) => toActionRow(action, facts));
  return {
    taken,
    state,
    fault,
    actions: actions.length,
    stored: packTrace({ taken, facts, accounts, actions: rows }),
    undetected: [...accountsOfTexts(interfaces.undetected).values()],
  };
}

async function lookUp(
  client: ClientBase,
  contracts: ContractCache,
  unknown: ReadonlySet<string>,
  unknownData: ReadonlySet<string>,
): Promise<void> {
  // Also marks addresses that no account can have.
  for (const address of unknown) contracts.known.add(address);
  for (const address of unknownData) contracts.knownData.add(address);
  await loadContracts(client, contracts, accountsOfTexts(unknown));
  await loadAccountData(client, contracts, accountsOfTexts(unknownData));
}

/**
 * The known contracts for one trace; records which ones are requested. Rules read addresses from bodies and data, so only
 * the requests show which accounts matter: accounts that were not loaded are loaded afterwards, and the trace is
 * classified again.
 */
export class RecordingInterfaces implements Interfaces {
  /** Requested accounts that are not loaded. */
  readonly unknown = new Set<string>();
  /** Accounts whose requested data or code is not loaded. */
  readonly unknownData = new Set<string>();
  /** Requested accounts that are not detected yet. */
  readonly undetected = new Set<string>();
  readonly #contracts: ContractCache;

  constructor(contracts: ContractCache) {
    this.#contracts = contracts;
  }

  jettonWallet(address: string) {
    return this.#request(address).jettonWallets.get(address);
  }

  nftItem(address: string) {
    return this.#request(address).nftItems.get(address);
  }

  nftSale(address: string) {
    return this.#request(address).nftSales.get(address);
  }

  nftAuction(address: string) {
    return this.#request(address).nftAuctions.get(address);
  }

  isNominatorPool(address: string): boolean {
    return this.#request(address).nominatorPools.has(address);
  }

  multisigOrder(address: string) {
    return this.#request(address).multisigOrders.get(address);
  }

  dedustPool(address: string) {
    return this.#request(address).dedustPools.get(address);
  }

  dataOf(address: string): Buffer | undefined {
    this.#request(address);
    return this.#requestData(address).data.get(address);
  }

  codeHashOf(address: string): string | undefined {
    return this.#requestData(address).codeHashes.get(address);
  }

  walletCodeHashOf(jetton: string): string | undefined {
    this.#request(jetton);
    return this.#requestData(jetton).walletCodeHashes.get(jetton);
  }

  #requestData(address: string): ContractCache {
    const contracts = this.#contracts;
    if (!contracts.knownData.has(address)) this.unknownData.add(address);
    return contracts;
  }

  #request(address: string): ContractCache {
    const contracts = this.#contracts;
    if (!contracts.known.has(address)) this.unknown.add(address);
    else if (contracts.undetected.has(address)) this.undetected.add(address);
    return contracts;
  }
}
