import { CellBuilder } from '../boc/cell-builder.ts';
import { LIBRARY_REFERENCE } from '../boc/cell-kind.ts';
import { CellArena } from './cell-arena.ts';
import { DraftCell } from './draft-cell.ts';

/** An arena in which cells are also made: each is hashed once, and equal ones are one. */
export class BuildingArena extends CellArena {
  readonly #draft = new DraftCell(this);

  /** Makes an ordinary cell of what a builder holds; gives its number and empties the builder. */
  build(builder: CellBuilder): number {
    return this.#put(builder, false);
  }

  /** As `build`, for an exotic cell: its data start with its kind. That it is of a right form is not checked. */
  buildExotic(builder: CellBuilder): number {
    return this.#put(builder, true);
  }

  /** A cell that stands for a library by its hash. */
  buildLibrary(hash: Buffer): number {
    return this.buildExotic(new CellBuilder().uint(LIBRARY_REFERENCE, 8).hash(hash));
  }

  #put(builder: CellBuilder, exotic: boolean): number {
    const draft = this.#draft;
    const { refs } = builder;
    draft.take(builder, exotic);
    const known = this.find(draft.ownHash);
    const isNew = known < 0 || this.isPlaceholder(known);
    const row = isNew ? this.putCell(draft, 0, 3, refs, known) : known;
    if (isNew && refs.every((child) => this.isComplete(child))) this.setComplete(row);
    builder.reset();
    return row;
  }
}
