import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CellBag, readBoc } from '../../chain/boc/bag.ts';
import { CellError } from '../../chain/boc/cells.ts';
import { methodIdByName } from '../../chain/contracts/method-ids.ts';
import { MethodResult, throwMismatch } from '../../chain/contracts/probe.ts';
import type { StackEntry } from '../../chain/stack/entries.ts';
import { readStack, writeStackBoc } from '../../chain/stack/vm-stack.ts';
import { Failure } from '../../lib/errors.ts';
import { VmClosed, VmCrash, VmOverloaded, VmRunTooLong, VmTimeout } from '../../vm/errors.ts';
import { type GetMethodResult, MAX_BALANCE } from '../../vm/runs.ts';
import type { VmConfig } from '../../vm/shared-inputs.ts';
import type { Vm } from '../../vm/vm.ts';
import { bytesOf } from '../hash-key.ts';
import type { BatchLibraries, BatchScope } from './chain-facts.ts';
import type { Code } from './code.ts';
import type { MutableDetectionStats } from './detection.ts';

/** What came of a get-method: an answer, or why there is none. */
type MethodOutcome = (
  | { readonly answer: MethodResult; readonly bag: CellBag }
  | { readonly answer?: undefined; readonly refusal: string }
) & {
  /** Whether it may be otherwise the next time, and is not to be remembered. */
  readonly passes?: boolean;
};

/** One question to a contract. */
interface MethodQuestion {
  readonly contract: HeldContract;
  /** The key of the configuration. */
  readonly config: string;
  readonly methodId: number;
  /** A bag of cells with the arguments. */
  readonly stack: Buffer | undefined;
}

const MAX_BYTES = 64 * 2 ** 20;
const MAX_ENTRIES = 100_000;
const ENTRY_BYTES = 512;
/** A parsed cell with its hash. */
const BYTES_PER_CELL = 160;

/** Results of get-methods: with the same code, data, configuration and arguments they are the same. */
export type MethodCache = LRUCache<string, MethodOutcome>;

/** Creates an empty memory. */
export function createMethodCache(): MethodCache {
  return new LRUCache({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: (outcome) => ENTRY_BYTES + (outcome.answer === undefined ? 0 : bytesOfBag(outcome.bag)),
  });
}

/** The key of a question; each of its parts but the last has a fixed length. */
function questionKey({ contract, config, methodId, stack }: MethodQuestion): string {
  const { key, code, dataKey } = contract;
  const parts = `${key}${code.key}${dataKey.padEnd(32)}${config}${methodId} `;
  const head = Buffer.from(parts, 'latin1');
  return hash('sha256', stack === undefined ? head : Buffer.concat([head, stack]), 'base64');
}

function bytesOfBag({ count, bytes }: CellBag): number {
  return count * BYTES_PER_CELL + bytes.length;
}

/** A contract that can be run; texts only, so that nothing larger is kept alive by them. */
export interface HeldContract {
  /** The account, as a key of maps. */
  readonly key: string;
  readonly code: Code;
  /** The hash of the data, as a key of maps; empty where there is none. */
  readonly dataKey: string;
  /** A bag of cells in base64. */
  readonly data: string;
  readonly balance: bigint;
}

/** A bag of cells with an empty cell, for an account without data. */
const EMPTY_CELL = 'te6ccgEBAQEAAgAAAA==';

/** Data in the form in which runs take it. */
export function dataText(data: Buffer | null | undefined): string {
  return data ? data.toString('base64') : EMPTY_CELL;
}

/** The address in the form in which runs take it. */
function addressText(key: string): string {
  const account = bytesOf(key);
  return `${account.readInt8(0)}:${account.toString('hex', 1)}`;
}

interface MethodRunnerOptions {
  readonly vm: Pick<Vm, 'runGetMethod'>;
  readonly memory: MethodCache;
  readonly figures: MutableDetectionStats;
  readonly config: VmConfig;
  readonly libraries: BatchLibraries;
  readonly scope: BatchScope;
}

const GAS_LIMIT = 1_000_000;
const OUT_OF_GAS = -14;
const NO_SUCH_METHOD = 11;
/** How often a run begins anew because it came upon a library that was not there. */
const MAX_RESTARTS = 8;

/** Runs get-methods for one batch. */
export class MethodRunner {
  readonly #options: MethodRunnerOptions;
  readonly #underWay = new Map<string, Promise<MethodOutcome>>();
  /** Ids by name: there are a few that are asked for all the time. */
  readonly #ids = new Map<string, number>();

  constructor(options: MethodRunnerOptions) {
    this.#options = options;
  }

  /** The answer of a method at a time; throws NotThat when there is none, and Undecided when it could not be run. */
  async run(
    contract: HeldContract,
    utime: number,
    method: string,
    args: readonly StackEntry[],
  ): Promise<MethodResult> {
    const methodId = this.#ids.get(method) ?? methodIdByName(method);
    this.#ids.set(method, methodId);
    if (!contract.code.mayRun(methodId)) return throwMismatch(`no ${method}`);
    const stack = args.length === 0 ? undefined : writeArguments(args);
    const question = { contract, config: this.#options.config.full.key, methodId, stack };
    const outcome = await this.#remembered(question, utime);
    return outcome.answer ?? throwMismatch(outcome.refusal);
  }

  #remembered(question: MethodQuestion, utime: number): Promise<MethodOutcome> | MethodOutcome {
    const { memory, figures } = this.#options;
    const key = questionKey(question);
    const known = memory.get(key) ?? this.#underWay.get(key);
    if (known !== undefined) {
      figures.hits += 1;
      return known;
    }
    const running = this.#runAnew(question, utime)
      .then((outcome) => {
        if (!outcome.passes) memory.set(key, outcome);
        return outcome;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, running);
    return running;
  }

  async #runAnew(question: MethodQuestion, utime: number): Promise<MethodOutcome> {
    const { code } = question.contract;
    const { methodId } = question;
    const result = await this.#runWithLibraries(question, utime);
    if (typeof result === 'string') return { refusal: result };
    const { exitCode, gasUsed, missingLibrary } = result;
    // A library may be published any time.
    const passes = missingLibrary !== undefined;
    if (exitCode === 0 || exitCode === 1) {
      code.trust(methodId);
      return { ...readOutcome(result.stack), passes };
    }
    if (exitCode === OUT_OF_GAS || gasUsed >= GAS_LIMIT) code.strike(methodId);
    else if (code.isOpen && exitCode === NO_SUCH_METHOD) code.ruleOut(methodId);
    // Codes of old wallets have another exit code for what they do not have.
    else if (code.isOpen) code.strike(methodId);
    return { refusal: `exit code ${exitCode}`, passes };
  }

  /** The result, or why there is none. */
  async #runWithLibraries(question: MethodQuestion, utime: number): Promise<GetMethodResult | string> {
    const { libraries } = this.#options;
    const found = new Map<string, Buffer>();
    await libraries.addTo(found, question.contract.code.libraries);
    for (let restarts = 0; ; restarts++) {
      const result = await this.#runOnce(question, utime, found);
      if (typeof result === 'string' || result.missingLibrary === undefined) return result;
      if (restarts === MAX_RESTARTS) return 'too many missing libraries';
      if ((await libraries.addTo(found, [result.missingLibrary])) === 0) return result;
    }
  }

  async #runOnce(
    { contract, methodId, stack }: MethodQuestion,
    utime: number,
    found: ReadonlyMap<string, Buffer>,
  ): Promise<GetMethodResult | string> {
    const { vm, config, libraries, scope, figures } = this.#options;
    const { key, code, data, balance } = contract;
    const limits = { timeoutMs: scope.left(), signal: scope.limit };
    figures.runs += 1;
    try {
      return await vm.runGetMethod(
        {
          code: code.text,
          data,
          address: addressText(key),
          utime,
          methodId,
          stack,
          config,
          libraries: libraries.share(found),
          gasLimit: GAS_LIMIT,
          balance: balance > MAX_BALANCE ? MAX_BALANCE : balance,
        },
        limits,
      );
    } catch (error) {
      // It may be for want of processors, or come every time.
      if (error instanceof VmRunTooLong) code.strike(methodId);
      if (scope.limit.aborted || LOST.some((kind) => error instanceof kind)) throw scope.undecided(error);
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }
}

/** What says nothing about the contract, or nothing that is sure. */
const LOST = [VmOverloaded, VmTimeout, VmClosed, VmCrash, VmRunTooLong];

function writeArguments(args: readonly StackEntry[]): Buffer {
  try {
    return writeStackBoc(args);
  } catch (error) {
    // Such as a cell that is too deep to be put into another one.
    if (error instanceof Failure || error instanceof CellError) return throwMismatch(error.message);
    throw error;
  }
}

function readOutcome(stack: Buffer): MethodOutcome {
  try {
    // A copy of its own: a small buffer is a part of a larger one, which would be kept with it.
    const bytes = Buffer.allocUnsafeSlow(stack.length);
    stack.copy(bytes);
    const bag = readBoc(bytes);
    return { answer: new MethodResult(readStack(bag, bag.root)), bag };
  } catch (error) {
    if (error instanceof Failure || error instanceof CellError) return { refusal: error.message };
    throw error;
  }
}
