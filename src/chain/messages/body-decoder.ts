import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import type { BocSource } from '../boc/gather-cells.ts';
import { readRootBoc } from '../boc/read-root-boc.ts';
import { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/write-boc.ts';
import { readBodyText } from './body-bytes.ts';
import { DecodeBudget } from './decode-budget.ts';
import { NotDecoded, unreadableCell } from './not-decoded.ts';
import { parseScheme, type Scheme } from './notation/parse-scheme.ts';
import { createProgram, type Program } from './program/create-program.ts';
import { CHARACTERS_A_STEP, NO_NUMBERS, Run, TooMuchWork } from './program/run.ts';
import { ALL_PROTOCOLS } from './protocols/all-protocols.ts';
import { createWalletForms, type WalletForms } from './wallet-forms.ts';

/** A body as JSON, or why there is none. */
export type DecodedBody = { readonly json: string } | { readonly error: string };

/** Tells what bodies of messages mean. Equal bodies have equal meanings, whoever sent them. */
export interface BodyDecoder {
  /** The name of what begins with these 32 bits, if anything known does. */
  readonly opcodeName: (opcode: number) => string | undefined;
  /** Decodes a cell. */
  readonly decodeCell: (cells: Cells, cell: number, budget?: DecodeBudget) => DecodedBody;
  /** Decodes a bag of one cell. */
  readonly decodeBoc: (boc: Buffer, budget?: DecodeBudget) => DecodedBody;
  /** Decodes a bag of one cell in base64 or hex. */
  readonly decodeText: (text: string, budget?: DecodeBudget) => DecodedBody;
}

interface Tables {
  readonly scheme: Scheme;
  readonly program: Program;
  readonly wallets: WalletForms;
}

const OPCODE_BITS = 32;
/** Bags of cells in text that may be decoded in their turn. */
const NESTED_START = 'te6c';
/** Cells are decoded within cells to this depth, the first one being 0. */
const MAX_NESTING = 10;

/** What it takes to write the smallest bag. */
const STEPS_A_BAG = 8;

const EMPTY_CELL = '{"@type":"empty_cell"}';
const NO_LAYOUT_FITS = new NotDecoded('no parser succeeded');
const TOO_MUCH = new NotDecoded('too much to decode');

/** Makes a decoder, of all that is known unless told otherwise. It is read when it is first needed, and then kept. */
export function createBodyDecoder(readScheme = () => parseScheme(ALL_PROTOCOLS)): BodyDecoder {
  let tables: Tables | undefined;

  function known(): Tables {
    if (tables === undefined) {
      const scheme = readScheme();
      const program = createProgram(scheme, { rest: readRest, cell: readCell, text: readText });
      tables = { scheme, program, wallets: createWalletForms(program) };
    }
    return tables;
  }

  /** Tries everything that the first bits of a slice may mean. */
  function decode(run: Run, slice: Slice): string | NotDecoded {
    const { bit, refAt, bitsLeft } = slice;
    if (bitsLeft === 0 && slice.refsLeft === 0) return EMPTY_CELL;
    if (bitsLeft < OPCODE_BITS) return new NotDecoded(`boc is too small, size ${bitsLeft}`);
    run.spend(1);
    const opcode = slice.peek(OPCODE_BITS);
    const { program, wallets } = known();
    const readers = program.messages(opcode);
    const form = readers.length === 0 ? wallets.signed : wallets.byOpcode.get(opcode);
    const special = form?.(run, slice);
    if (special !== undefined) return special;
    for (const read of readers) {
      slice.bit = bit + OPCODE_BITS;
      slice.refAt = refAt;
      const json = read(run, slice, NO_NUMBERS);
      if (json !== undefined) return json;
    }
    return NO_LAYOUT_FITS;
  }

  /** Decodes a cell within a body; undefined if it stays a bag of cells. */
  function decodeNested(run: Run, slice: Slice): string | undefined {
    if (run.nesting > MAX_NESTING) return undefined;
    run.nesting++;
    const json = decode(run, slice);
    run.nesting--;
    return json instanceof NotDecoded ? undefined : json;
  }

  function readRest(run: Run, slice: Slice): string {
    const { bit, refAt } = slice;
    const json = decodeNested(run, slice);
    slice.bit = bit;
    slice.refAt = refAt;
    const shown = json ?? writeBag(run, slice);
    slice.bit = slice.bitEnd;
    slice.refAt = slice.refEnd;
    return shown;
  }

  function readCell(run: Run, { cells }: Slice, cell: number): string {
    const json = cells.isExotic(cell) ? undefined : decodeNested(run, new Slice(cells, cell));
    return json ?? writeBag(run, { cells, roots: [cell] });
  }

  /** Text that is a bag of cells itself counts as one. */
  function readText(run: Run, text: string): string {
    const bag = text.startsWith(NESTED_START) ? readBag(readBodyText(text)) : undefined;
    const nested = bag && !(bag instanceof NotDecoded) && !bag.cells.isExotic(bag.cell);
    return (nested && decodeNested(run, new Slice(bag.cells, bag.cell))) || JSON.stringify(text);
  }

  function decodeCell(cells: Cells, cell: number, budget = new DecodeBudget()): DecodedBody {
    const steps = budget.forBody;
    const run = new Run(steps);
    const result = cells.isExotic(cell) ? unreadableCell(cells, cell) : attempt(run, new Slice(cells, cell));
    budget.take(steps - run.stepsLeft);
    return result instanceof NotDecoded ? unknown(result) : { json: result };
  }

  function attempt(run: Run, slice: Slice): string | NotDecoded {
    try {
      return decode(run, slice);
    } catch (error) {
      if (error instanceof TooMuchWork) return TOO_MUCH;
      // Readers look before they read; should one not have done so, the body is still only not decoded.
      if (error instanceof CellFault) return new NotDecoded(`vm error - ${error.message}`);
      throw error;
    }
  }

  function decodeBytes(bytes: Buffer | NotDecoded, budget?: DecodeBudget): DecodedBody {
    const bag = readBag(bytes);
    return bag instanceof NotDecoded ? unknown(bag) : decodeCell(bag.cells, bag.cell, budget);
  }

  return {
    opcodeName: (opcode) => known().scheme.messages.get(opcode)?.[0]?.name,
    decodeCell,
    decodeBoc: decodeBytes,
    decodeText: (text, budget) => decodeBytes(readBodyText(text), budget),
  };
}

function readBag(bytes: Buffer | NotDecoded): { cells: Cells; cell: number } | NotDecoded {
  if (bytes instanceof NotDecoded) return bytes;
  try {
    const cells = readRootBoc(bytes);
    return { cells, cell: cells.root };
  } catch (error) {
    if (error instanceof CellFault) return new NotDecoded(`failed to deserialize boc: ${error.message}`);
    throw error;
  }
}

function writeBag(run: Run, source: BocSource): string {
  const boc = writeBoc(source, { order: 'tonlib', crc: false }).toString('base64');
  run.spend(STEPS_A_BAG + Math.ceil(boc.length / CHARACTERS_A_STEP));
  return `"${boc}"`;
}

function unknown({ reason }: NotDecoded): DecodedBody {
  return { error: `unknown: ${reason}` };
}
