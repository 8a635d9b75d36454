import type { ClientBase } from 'pg';
import { classifyTrace } from '../actions/classify-trace.ts';
import type { Classification } from '../actions/rules/action.ts';
import type { Interfaces } from '../actions/rules/classifier-input.ts';
import { accountsOfTexts, ContractCache, loadAccountData, loadContracts } from './contracts.ts';
import type { LoadedTrace } from './load-traces.ts';

export interface ClassifiedTrace extends LoadedTrace {
  readonly classification: Classification;
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

/** Classifies traces; their accounts, and those named in bodies, are looked up for all traces together. */
export async function classifyTraces(
  client: ClientBase,
  traces: readonly LoadedTrace[],
  { onRuleError: onRuleFault, onTime }: ClassifyOptions = {},
): Promise<ClassifiedTrace[]> {
  const contracts = new ContractCache();
  await loadContracts(client, contracts, new Map(traces.flatMap(({ accounts }) => [...accounts])));
  const classified = new Map<LoadedTrace, ClassifiedTrace>();
  let open = traces;
  for (let round = 1; open.length > 0; round++) {
    const [unknown, unknownData] = [new Set<string>(), new Set<string>()];
    const startMs = performance.now();
    open = open.filter((trace) => {
      const interfaces = new RecordingInterfaces(contracts);
      const { facts } = trace;
      const classification = classifyTrace({ trace: facts, interfaces }, (rule, fault) =>
        onRuleFault?.(rule, fault, facts.traceId),
      );
      const undetected = [...accountsOfTexts(interfaces.undetected).values()];
      classified.set(trace, { ...trace, classification, undetected });
      for (const address of interfaces.unknown) unknown.add(address);
      for (const address of interfaces.unknownData) unknownData.add(address);
      return interfaces.unknown.size + interfaces.unknownData.size > 0;
    });
    onTime?.(performance.now() - startMs);
    if (round === MAX_ROUNDS) break;
    await lookUp(client, contracts, unknown, unknownData);
  }
  return traces.map((trace) => classified.get(trace)!);
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
