import type { Cells } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { readMethodIds } from '../../chain/contracts/method-ids.ts';
import type { ContractCode } from './decoded-seqno.ts';

/** Codes of contracts, each once. */
export class CodeSet {
  readonly #codes = new Map<string, ContractCode>();

  get found(): ContractCode[] {
    return [...this.#codes.values()];
  }

  /** Adds the code in a cell that has all of it; gives it as a bag of cells. */
  add(cells: Cells, cell: number, hash: Buffer): Buffer {
    const key = hash.toString('latin1');
    let code = this.#codes.get(key);
    if (code === undefined) {
      const boc = writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false });
      code = { hash, boc, methods: readMethodIds(boc) };
      this.#codes.set(key, code);
    }
    return code.boc;
  }
}
