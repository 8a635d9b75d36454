import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { MethodAnswer } from '../../chain/contracts/method-answer.ts';
import { refuse } from '../../chain/contracts/not-that.ts';
import { methodIdOfName } from '../../chain/stack/method-id.ts';
import { readStack } from '../../chain/stack/read-stack.ts';
import type { StackEntry } from '../../chain/stack/stack-entry.ts';
import { writeStackBoc } from '../../chain/stack/write-stack.ts';
import { Failure } from '../../lib/failure.ts';
import type { Vm } from '../../vm/create-vm.ts';
import { VmClosed, VmCrash, VmOverloaded, VmRunTooLong, VmTimeout } from '../../vm/errors.ts';
import { type GetMethodResult, MAX_BALANCE } from '../../vm/get-method-run.ts';
import type { VmConfig } from '../../vm/vm-config.ts';
import type { BatchScope } from './batch-scope.ts';
import type { CountedFigures } from './detection-figures.ts';
import { addressText, type HeldContract } from './held-contract.ts';
import type { BatchLibraries } from './library-book.ts';
import { type MethodMemory, type MethodOutcome, type MethodQuestion, questionKey } from './method-memory.ts';

interface MethodRunnerOptions {
  readonly vm: Pick<Vm, 'runGetMethod'>;
  readonly memory: MethodMemory;
  readonly figures: CountedFigures;
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
  ): Promise<MethodAnswer> {
    const methodId = this.#ids.get(method) ?? methodIdOfName(method);
    this.#ids.set(method, methodId);
    if (!contract.code.mayRun(methodId)) return refuse(`no ${method}`);
    const stack = args.length === 0 ? undefined : writeArguments(args);
    const question = { contract, config: this.#options.config.full.key, methodId, stack };
    const outcome = await this.#remembered(question, utime);
    return outcome.answer ?? refuse(outcome.refusal);
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
          ...{ code: code.text, data, address: addressText(key), utime, methodId, stack, config },
          ...{ libraries: libraries.share(found), gasLimit: GAS_LIMIT },
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
    if (error instanceof Failure || error instanceof CellFault) return refuse(error.message);
    throw error;
  }
}

function readOutcome(stack: Buffer): MethodOutcome {
  try {
    // A copy of its own: a small buffer is a part of a larger one, which would be kept with it.
    const bytes = Buffer.allocUnsafeSlow(stack.length);
    stack.copy(bytes);
    const bag = readBoc(bytes);
    return { answer: new MethodAnswer(readStack(bag, bag.root)), bag };
  } catch (error) {
    if (error instanceof Failure || error instanceof CellFault) return { refusal: error.message };
    throw error;
  }
}
