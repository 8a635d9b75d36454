import { Semaphore } from '../lib/semaphore.ts';
import type { GetMethodResult } from '../vm/runs.ts';
import { type BatchScope, Undecided } from './chain-facts.ts';
import type { Code } from './code.ts';

/** The limit of a run; a million gas can take 0.8 s of a thread. */
export const FULL_GAS = 1_000_000;
/** What the time of a run without a result counts as, the same in the other direction. */
const GAS_PER_MS = 1250;
/** The limit of a run where much gas was burnt recently: recorded mainnet contracts use at most 4000. */
const SMALL_GAS = 50_000;
/** Gas of a run that does not count as burnt. */
const FREE_GAS = 20_000;
const OUT_OF_GAS = -14;

/** Burnt gas from which on runs get little gas, and twice as much from which on they are put off. */
interface GasAllowance {
  readonly burst: number;
  /** Burnt gas that is forgotten per second. */
  readonly perSecond: number;
}

/** Of one code: 2 % of a thread in the long run. */
const CODE_ALLOWANCE: GasAllowance = { burst: 4 * FULL_GAS, perSecond: 20_000 };
/** Of all codes together, since codes are cheap to make: 20 % of a thread in the long run. */
const TOTAL_ALLOWANCE: GasAllowance = { burst: 20 * FULL_GAS, perSecond: 250_000 };

/** Runs of one code at a time. More would all begin before the first of them has shown what it burns. */
const RUNS_PER_CODE = 8;

/** Runs a method; tells when no thread works on it any more, with the time that it took. */
export type GasRun = (gasLimit: number, onEnd: (threadMs: number) => void) => Promise<GetMethodResult>;

/** Whether a run used up its gas. */
export function isOutOfGas({ exitCode, gasUsed }: GetMethodResult, limit: number): boolean {
  return exitCode === OUT_OF_GAS || gasUsed >= limit;
}

interface CodeUse {
  readonly burnt: BurntGas;
  readonly permits: Semaphore;
  /** Methods whose last run was not expensive. */
  readonly cheap: Set<number>;
}

/**
 * Bounds the time that contracts take from the indexer. A contract may respond quickly until it is recognised and then
 * burn all gas on every change of its state, in many methods and under many codes. Contracts that burnt too much are
 * put off: they stay undetected, and are detected later at the pace of the allowance.
 */
export class GasBudget {
  readonly #now: () => number;
  readonly #total: BurntGas;
  readonly #uses = new WeakMap<Code, CodeUse>();

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#total = new BurntGas(TOTAL_ALLOWANCE, now);
  }

  /** Runs a method with the gas that it may use now; throws Undecided when that is none, or was not enough. */
  async run(code: Code, methodId: number, scope: BatchScope, work: GasRun): Promise<GetMethodResult> {
    const use = this.#useOf(code);
    try {
      await use.permits.acquire(scope.left(), scope.limit);
    } catch (error) {
      throw scope.undecided(error);
    }
    try {
      const limit = this.#limitOf(use, methodId);
      if (limit === 0) throw scope.undecided();
      const result = await this.#charged(use, (onEnd) => work(limit, onEnd));
      if (result.gasUsed < SMALL_GAS) use.cheap.add(methodId);
      else use.cheap.delete(methodId);
      if (limit < FULL_GAS && isOutOfGas(result, limit)) throw scope.undecided();
      return result;
    } finally {
      use.permits.release();
    }
  }

  /**
   * Runs a method that was cheap the last time, however many of its code run already, with little gas; undefined if it is
   * not known to be cheap, or was not now. Out of gas cannot be caught in TVM, so the result is the one with more gas.
   */
  async runCheap(
    code: Code,
    methodId: number,
    scope: BatchScope,
    work: GasRun,
  ): Promise<GetMethodResult | undefined> {
    const use = this.#useOf(code);
    if (!use.cheap.has(methodId)) return undefined;
    const limit = Math.min(SMALL_GAS, this.#limitOf(use, methodId));
    if (limit === 0) throw scope.undecided();
    const result = await this.#charged(use, (onEnd) => work(limit, onEnd));
    if (!isOutOfGas(result, limit)) return result;
    use.cheap.delete(methodId);
    return undefined;
  }

  #useOf(code: Code): CodeUse {
    const known = this.#uses.get(code);
    if (known !== undefined) return known;
    const use = {
      burnt: new BurntGas(CODE_ALLOWANCE, this.#now),
      permits: new Semaphore(RUNS_PER_CODE, () => new Undecided('too many runs of one code')),
      cheap: new Set<number>(),
    };
    this.#uses.set(code, use);
    return use;
  }

  #limitOf({ burnt, cheap }: CodeUse, methodId: number): number {
    const total = this.#total.gasLimit();
    // What others burn does not put off methods that are known to be cheap.
    const shared = cheap.has(methodId) ? Math.max(total, SMALL_GAS) : total;
    return Math.min(burnt.gasLimit(), shared);
  }

  /**
   * Charges the gas of a run, or the time of one without a result: it was stopped, or given up with its batch while a
   * thread still works on it.
   */
  async #charged(use: CodeUse, work: (onEnd: (threadMs: number) => void) => Promise<GetMethodResult>) {
    let hasFailed = false;
    let threadMs: number | undefined;
    const chargeTime = () => {
      if (hasFailed && threadMs !== undefined) this.#charge(use, threadMs * GAS_PER_MS);
    };
    try {
      const result = await work((ms) => {
        threadMs = ms;
        chargeTime();
      });
      this.#charge(use, result.gasUsed);
      return result;
    } catch (error) {
      hasFailed = true;
      chargeTime();
      throw error;
    }
  }

  #charge({ burnt }: CodeUse, used: number): void {
    const gas = Math.max(0, used - FREE_GAS);
    burnt.add(gas);
    this.#total.add(gas);
  }
}

class BurntGas {
  readonly #allowance: GasAllowance;
  readonly #now: () => number;
  #gas = 0;
  #atMs = 0;

  constructor(allowance: GasAllowance, now: () => number) {
    this.#allowance = allowance;
    this.#now = now;
  }

  add(gas: number): void {
    this.#gas = this.#read() + gas;
    this.#atMs = this.#now();
  }

  /** What the next run may use. */
  gasLimit(): number {
    const gas = this.#read();
    const { burst } = this.#allowance;
    if (gas < burst) return FULL_GAS;
    return gas < 2 * burst ? SMALL_GAS : 0;
  }

  #read(): number {
    const forgotten = ((this.#now() - this.#atMs) / 1000) * this.#allowance.perSecond;
    return Math.max(0, this.#gas - forgotten);
  }
}
