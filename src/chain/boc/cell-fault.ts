/** Cells that are not what they should be: a bag that does not parse, or data that ends too early. */
export class CellFault extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'CellFault';
  }
}

/** A cell that a proof leaves out was needed. */
export class PrunedCellFault extends CellFault {
  constructor() {
    super('the cell is pruned');
    this.name = 'PrunedCellFault';
  }
}
