import type { ClientBase } from 'pg';
import type { Classification } from '../actions/action.ts';
import type { Interfaces } from '../actions/classifier-input.ts';
import { classifyTrace } from '../actions/classify-trace.ts';
import { accountBytes, ContractCache, loadAccountData, loadContracts } from './contracts.ts';
import type { LoadedTrace } from './load-traces.ts';

/** A trace and what happened in it. */
export interface ClassifiedTrace extends LoadedTrace {
  readonly classification: Classification;
  /** Accounts of which the rules wanted to know what they are, and nobody knows yet. */
  readonly unjudged: readonly Buffer[];
}

/** Told of a rule that failed on a trace: a fault of ours, the others went on. */
type OnRuleFault = (rule: string, fault: unknown, traceId: string) => void;

interface ClassifyOptions {
  readonly onRuleFault?: OnRuleFault;
  /** Hears how long the rules took, without what was waited for. */
  readonly onTime?: (ms: number) => void;
}

/** How often a trace is classified until nothing more is asked for; what the last time gave counts then. */
const MAX_ROUNDS = 8;

/** Classifies traces; what their accounts are, and those that bodies name, is looked up for all together. */
export async function classifyTraces(
  client: ClientBase,
  traces: readonly LoadedTrace[],
  { onRuleFault, onTime }: ClassifyOptions = {},
): Promise<ClassifiedTrace[]> {
  const book = new ContractCache();
  await loadContracts(client, book, new Map(traces.flatMap(({ accounts }) => [...accounts])));
  const classified = new Map<LoadedTrace, ClassifiedTrace>();
  let open = traces;
  for (let round = 1; open.length > 0; round++) {
    const [unknown, unknownData] = [new Set<string>(), new Set<string>()];
    const startMs = performance.now();
    open = open.filter((trace) => {
      const interfaces = new AskedInterfaces(book);
      const { facts } = trace;
      const classification = classifyTrace({ trace: facts, interfaces }, (rule, fault) =>
        onRuleFault?.(rule, fault, facts.traceId),
      );
      const unjudged = [...toBytes(interfaces.unjudged).values()];
      classified.set(trace, { ...trace, classification, unjudged });
      for (const address of interfaces.unknown) unknown.add(address);
      for (const address of interfaces.unknownData) unknownData.add(address);
      return interfaces.unknown.size + interfaces.unknownData.size > 0;
    });
    onTime?.(performance.now() - startMs);
    if (round === MAX_ROUNDS) break;
    await lookUp(client, book, unknown, unknownData);
  }
  return traces.map((trace) => classified.get(trace)!);
}

async function lookUp(
  client: ClientBase,
  book: ContractCache,
  unknown: ReadonlySet<string>,
  unknownData: ReadonlySet<string>,
): Promise<void> {
  // An address that no account can have is known to be nothing.
  for (const address of unknown) book.known.add(address);
  for (const address of unknownData) book.knownData.add(address);
  await loadContracts(client, book, toBytes(unknown));
  await loadAccountData(client, book, toBytes(unknownData));
}

function toBytes(addresses: ReadonlySet<string>): Map<string, Buffer> {
  const accounts = new Map<string, Buffer>();
  for (const address of addresses) {
    const account = accountBytes(address);
    if (account !== undefined) accounts.set(address, account);
  }
  return accounts;
}

/**
 * What is known of contracts, for one trace; notes what it is asked for. The rules read addresses out of bodies and data,
 * so who asks is the only one to know which accounts matter: where one was not looked up, it is looked up then, and the
 * trace is classified once more.
 */
export class AskedInterfaces implements Interfaces {
  /** Accounts that were asked for and not looked up. */
  readonly unknown = new Set<string>();
  /** Accounts whose data was asked for and not looked up. */
  readonly unknownData = new Set<string>();
  /** Accounts that were asked for and are not judged yet. */
  readonly unjudged = new Set<string>();
  readonly #book: ContractCache;

  constructor(book: ContractCache) {
    this.#book = book;
  }

  jettonWallet(address: string) {
    return this.#noted(address).jettonWallets.get(address);
  }

  nftItem(address: string) {
    return this.#noted(address).nftItems.get(address);
  }

  nftSale(address: string) {
    return this.#noted(address).nftSales.get(address);
  }

  nftAuction(address: string) {
    return this.#noted(address).nftAuctions.get(address);
  }

  isNominatorPool(address: string): boolean {
    return this.#noted(address).nominatorPools.has(address);
  }

  multisigOrder(address: string) {
    return this.#noted(address).multisigOrders.get(address);
  }

  dedustPool(address: string) {
    return this.#noted(address).dedustPools.get(address);
  }

  dataOf(address: string): Buffer | undefined {
    const book = this.#noted(address);
    if (!book.knownData.has(address)) this.unknownData.add(address);
    return book.data.get(address);
  }

  #noted(address: string): ContractCache {
    const book = this.#book;
    if (!book.known.has(address)) this.unknown.add(address);
    else if (book.unjudged.has(address)) this.unjudged.add(address);
    return book;
  }
}
