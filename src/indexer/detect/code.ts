import { CellFault } from '../../chain/boc/cell-fault.ts';
import { LIBRARY_REFERENCE } from '../../chain/boc/cell-kind.ts';
import { librariesIn } from '../../chain/boc/libraries-in.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { readMethodIds } from '../../chain/contracts/method-ids.ts';
import type { ContractCode } from '../decode/decoded-seqno.ts';
import { keyOf } from '../hash-key.ts';

/** How often a method may fail for the wrong reasons. */
const MOST_STRIKES = 3;
const TRUSTED = Number.NEGATIVE_INFINITY;

/** A code and what is known of its get-methods. */
export class Code {
  /** Its hash, as a key of maps. */
  readonly key: string;
  /** A bag of cells in base64. */
  readonly text: string;
  /** Hashes of the libraries that it names, as far as it was looked through. */
  readonly libraries: readonly Buffer[];
  /** The library that stands in place of the code and is not known yet. */
  library: Buffer | undefined;
  /** Undefined where the form of the code does not tell. */
  #methods: ReadonlySet<number> | undefined;
  readonly #strikes = new Map<number, number>();

  constructor({ hash, boc, methods }: ContractCode) {
    this.key = keyOf(hash);
    this.text = boc.toString('base64');
    this.#methods = methods && new Set(methods);
    const { libraries, isLibrary } = lookForLibraries(boc);
    this.libraries = libraries;
    this.library = isLibrary ? libraries[0] : undefined;
  }

  /** Whether its methods are not to be read from it: any of them may be there. */
  get isOpen(): boolean {
    return this.library === undefined && this.#methods === undefined;
  }

  /** Takes note of the library that stands in place of the code. */
  setLibrary(boc: Buffer): void {
    const methods = readMethodIds(boc);
    this.#methods = methods && new Set(methods);
    this.library = undefined;
  }

  /** Whether it may have a method. */
  has(methodId: number): boolean {
    if (this.library !== undefined) return false;
    return this.#methods?.has(methodId) ?? this.#isRunnable(methodId);
  }

  /** Whether a run of a method may succeed. */
  mayRun(methodId: number): boolean {
    return this.has(methodId) && this.#isRunnable(methodId);
  }

  /** A method succeeded: what it does with the data of others is no reason not to run it. */
  trust(methodId: number): void {
    this.#strikes.set(methodId, TRUSTED);
  }

  /** A method failed in a way that it may fail in always. */
  strike(methodId: number): void {
    this.#strikes.set(methodId, (this.#strikes.get(methodId) ?? 0) + 1);
  }

  /** The code has no such method, as it says. */
  ruleOut(methodId: number): void {
    this.#strikes.set(methodId, (this.#strikes.get(methodId) ?? 0) + MOST_STRIKES);
  }

  #isRunnable(methodId: number): boolean {
    return (this.#strikes.get(methodId) ?? 0) < MOST_STRIKES;
  }
}

function lookForLibraries(boc: Buffer): {
  readonly libraries: readonly Buffer[];
  readonly isLibrary: boolean;
} {
  try {
    const bag = readBoc(boc);
    return { libraries: librariesIn(bag, bag.root), isLibrary: bag.kind(bag.root) === LIBRARY_REFERENCE };
  } catch (error) {
    if (error instanceof CellFault) return { libraries: [], isLibrary: false };
    throw error;
  }
}
