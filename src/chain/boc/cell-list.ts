/** References of one cell in `CellList.refs`, used or not. */
export const REF_PLACES = 4;

const MAX_DATA_BYTES = 128;
// For the key of one cell: nothing calls back while it is in use.
const keyScratch = Buffer.alloc(2 + MAX_DATA_BYTES + REF_PLACES * 4);

/**
 * Cells to be written: each once, children before parents. The place of a cell in this list stands for it. Cells are
 * equal if their data and the places of their children are, so no hash is needed to find equal ones.
 */
export class CellList {
  /** The first descriptor byte of each cell: references, exotic or not, level mask. */
  readonly heads: number[] = [];
  readonly bits: number[] = [];
  /** Where the data of each cell lies, and from which byte on. */
  readonly data: Buffer[] = [];
  readonly starts: number[] = [];
  /** The places of the children: four for each cell. */
  readonly refs: number[] = [];
  readonly #places = new Map<string, number>();

  get count(): number {
    return this.heads.length;
  }

  /** Adds a cell whose children are in the list, unless an equal one is there; gives its place. */
  add(head: number, bits: number, data: Buffer, start: number, children: readonly number[]): number {
    const key = keyOf(head, bits, data, start, children);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.heads.length;
    this.#places.set(key, place);
    this.heads.push(head);
    this.bits.push(bits);
    this.data.push(data);
    this.starts.push(start);
    for (let i = 0; i < REF_PLACES; i++) this.refs.push(children[i] ?? 0);
    return place;
  }
}

/** Everything that tells one cell from another, as a string to look it up by. */
function keyOf(head: number, bits: number, data: Buffer, start: number, children: readonly number[]): string {
  const dataBytes = (bits + 7) >> 3;
  keyScratch[0] = head;
  keyScratch[1] = dataBytes + (bits >> 3);
  data.copy(keyScratch, 2, start, start + dataBytes);
  let end = 2 + dataBytes;
  for (let i = 0; i < children.length; i++) end = keyScratch.writeUInt32LE(children[i]!, end);
  return keyScratch.toString('latin1', 0, end);
}
