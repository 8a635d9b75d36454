import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CellBag, readBoc } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { methodIdByName } from '../chain/contracts/method-ids.ts';
import { MethodResult, throwMismatch } from '../chain/contracts/probe.ts';
import type { StackEntry } from '../chain/stack/entries.ts';
import { readStack, writeStackBoc } from '../chain/stack/vm-stack.ts';
import { bytesKey, bytesOf, ownBytes } from '../lib/bytes-key.ts';
import { Failure } from '../lib/errors.ts';
import { VmClosed, VmCrash, VmOverloaded, VmRunTooLong, VmTimeout } from '../vm/errors.ts';
import { type GetMethodResult, MAX_BALANCE } from '../vm/runs.ts';
import type { VmConfig } from '../vm/shared-inputs.ts';
import type { Vm } from '../vm/vm.ts';
import type { BatchLibraries, BatchScope } from './chain-facts.ts';
import type { Code } from './code.ts';
import type { MutableDetectionStats } from './detection.ts';
import { FULL_GAS, type GasBudget, type GasRun, isOutOfGas } from './gas-budget.ts';

type MethodOutcome = (
  | { readonly result: MethodResult; readonly bag: CellBag }
  | { readonly result?: undefined; readonly reason: string }
) & {
  /** Whether it may differ the next time and must not be cached. */
  readonly isTransient?: boolean;
};

interface MethodCall {
  readonly contract: HeldContract;
  /** Key of the configuration. */
  readonly config: string;
  readonly methodId: number;
  /** Arguments as a bag of cells. */
  readonly stack: Buffer | undefined;
}

const MAX_BYTES = 64 * 2 ** 20;
const ENTRY_BYTES = 512;
/** A parsed cell with its hash. */
const BYTES_PER_CELL = 160;

/** Get-method outcomes: equal for equal account, code, data, configuration and arguments. */
export type MethodCache = LRUCache<string, MethodOutcome>;

export function createMethodCache(): MethodCache {
  return new LRUCache({
    // Without `max`, for which lru-cache would allocate megabytes at once: a server has several of these caches.
    maxSize: MAX_BYTES,
    sizeCalculation: (outcome) => ENTRY_BYTES + (outcome.result === undefined ? 0 : bytesOfBag(outcome.bag)),
  });
}

/** Cache key of a call; each part but the last has a fixed length. */
function callKey({ contract, config, methodId, stack }: MethodCall): string {
  const { key, code, dataKey } = contract;
  const parts = `${key}${code.key}${dataKey.padEnd(32)}${config}${methodId} `;
  const head = Buffer.from(parts, 'latin1');
  return hash('sha256', stack === undefined ? head : Buffer.concat([head, stack]), 'base64');
}

function bytesOfBag({ count, bytes }: CellBag): number {
  return count * BYTES_PER_CELL + bytes.length;
}

/** A contract that can be run; strings only, so that no larger buffer is kept alive. */
export interface HeldContract {
  /** The account as a map key. */
  readonly key: string;
  readonly code: Code;
  /** The hash of the data as a map key; empty where there is none. */
  readonly dataKey: string;
  /** A bag of cells in base64. */
  readonly data: string;
  readonly balance: bigint;
}

/** A bag of cells with an empty cell, for an account without data. */
const EMPTY_CELL = 'te6ccgEBAQEAAgAAAA==';

/** A contract with the hash of its data and the data, which it may not have. */
export function heldContract(
  key: string,
  code: Code,
  hash: Buffer | null | undefined,
  data: Buffer | null | undefined,
  balance: bigint,
): HeldContract {
  const text = data ? data.toString('base64') : EMPTY_CELL;
  return { key, code, dataKey: hash ? bytesKey(hash) : '', data: text, balance };
}

function addressText(key: string): string {
  const account = bytesOf(key);
  return `${account.readInt8(0)}:${account.toString('hex', 1)}`;
}

interface MethodRunnerOptions {
  readonly vm: Pick<Vm, 'runGetMethod'>;
  /** Runs several get-methods at once where only that all are done soon counts. */
  readonly bulkVm: Pick<Vm, 'runGetMethod'> | undefined;
  readonly cache: MethodCache;
  readonly stats: MutableDetectionStats;
  readonly config: VmConfig;
  readonly libraries: BatchLibraries;
  readonly gas: GasBudget;
  readonly scope: BatchScope;
}

const NO_SUCH_METHOD = 11;
/** How often a run is repeated because a library was missing. */
const MAX_RESTARTS = 8;

/** Runs get-methods for one batch. */
export class MethodRunner {
  readonly #options: MethodRunnerOptions;
  readonly #inFlight = new Map<string, Promise<MethodOutcome>>();
  /** Ids by name: the same few are used all the time. */
  readonly #ids = new Map<string, number>();

  constructor(options: MethodRunnerOptions) {
    this.#options = options;
  }

  /** Runs a method at a unix time; throws InterfaceMismatch without a result, and Undecided when it could not be run. */
  async run(contract: HeldContract, utime: number, method: string, args: readonly StackEntry[]) {
    const methodId = this.#ids.get(method) ?? methodIdByName(method);
    this.#ids.set(method, methodId);
    if (!contract.code.mayRun(methodId)) return throwMismatch(`no ${method}`);
    const stack = args.length === 0 ? undefined : writeArguments(args);
    const call = { contract, config: this.#options.config.full.key, methodId, stack };
    const outcome = await this.#cached(call, utime);
    return outcome.result ?? throwMismatch(outcome.reason);
  }

  #cached(call: MethodCall, utime: number): Promise<MethodOutcome> | MethodOutcome {
    const { cache, stats } = this.#options;
    const key = callKey(call);
    const known = cache.get(key) ?? this.#inFlight.get(key);
    if (known !== undefined) {
      stats.hits += 1;
      return known;
    }
    const running = this.#runUncached(call, utime)
      .then((outcome) => {
        if (!outcome.isTransient) cache.set(key, outcome);
        return outcome;
      })
      .finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, running);
    return running;
  }

  async #runUncached(call: MethodCall, utime: number): Promise<MethodOutcome> {
    const { code } = call.contract;
    const { methodId } = call;
    const result = await this.#runWithLibraries(call, utime);
    if (typeof result === 'string') return { reason: result };
    const { exitCode, missingLibrary } = result;
    // A library may be published at any time.
    const isTransient = missingLibrary !== undefined;
    if (exitCode === 0 || exitCode === 1) {
      code.trust(methodId);
      return { ...readOutcome(result.stack), isTransient };
    }
    if (isOutOfGas(result, FULL_GAS)) code.strike(methodId);
    else if (code.isOpen && exitCode === NO_SUCH_METHOD) code.ruleOut(methodId);
    // Old wallet codes use another exit code for missing methods.
    else if (code.isOpen) code.strike(methodId);
    return { reason: `exit code ${exitCode}`, isTransient };
  }

  /** The result, or the reason why there is none. */
  async #runWithLibraries(call: MethodCall, utime: number): Promise<GetMethodResult | string> {
    const { libraries } = this.#options;
    const found = new Map<string, Buffer>();
    await libraries.addTo(found, call.contract.code.libraries);
    for (let restarts = 0; ; restarts++) {
      const result = await this.#runOnce(call, utime, found);
      if (typeof result === 'string' || result.missingLibrary === undefined) return result;
      if (restarts === MAX_RESTARTS) return 'too many missing libraries';
      if ((await libraries.addTo(found, [result.missingLibrary])) === 0) return result;
    }
  }

  async #runOnce(
    { contract, methodId, stack }: MethodCall,
    utime: number,
    found: ReadonlyMap<string, Buffer>,
  ): Promise<GetMethodResult | string> {
    const { vm, bulkVm, config, libraries, gas, scope, stats } = this.#options;
    const { key, code, data, balance } = contract;
    const runIn =
      (machine: Pick<Vm, 'runGetMethod'>): GasRun =>
      (gasLimit, onEnd) => {
        stats.runs += 1;
        return machine.runGetMethod(
          {
            code: code.text,
            data,
            address: addressText(key),
            utime,
            methodId,
            stack,
            config,
            libraries: libraries.share(found),
            gasLimit,
            balance: balance > MAX_BALANCE ? MAX_BALANCE : balance,
          },
          { timeoutMs: scope.left(), signal: scope.limit, onEnd },
        );
      };
    try {
      const match = bulkVm && (await gas.runCheap(code, methodId, scope, runIn(bulkVm)));
      return match ?? (await gas.run(code, methodId, scope, runIn(vm)));
    } catch (error) {
      // Either the machine is overloaded, or the method always takes too long.
      if (error instanceof VmRunTooLong) code.strike(methodId);
      if (scope.limit.aborted || UNRELATED_FAILURES.some((kind) => error instanceof kind))
        throw scope.undecided(error);
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }
}

/** Failures that say nothing certain about the contract. */
const UNRELATED_FAILURES = [VmOverloaded, VmTimeout, VmClosed, VmCrash, VmRunTooLong];

function writeArguments(args: readonly StackEntry[]): Buffer {
  try {
    return writeStackBoc(args);
  } catch (error) {
    // For example a cell that is too deep to be stored in another one.
    if (error instanceof Failure || error instanceof CellError) return throwMismatch(error.message);
    throw error;
  }
}

function readOutcome(stack: Buffer): MethodOutcome {
  try {
    const bag = readBoc(ownBytes(stack));
    return { result: new MethodResult(readStack(bag, bag.root)), bag };
  } catch (error) {
    if (error instanceof Failure || error instanceof CellError) return { reason: error.message };
    throw error;
  }
}
