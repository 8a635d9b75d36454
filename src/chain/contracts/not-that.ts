import { CellFault } from '../boc/cell-fault.ts';

/** A contract is not what it was taken for. */
export class NotThat extends Error {
  override readonly name = 'NotThat';
}

/** Throws NotThat. */
export function refuse(text: string): never {
  throw new NotThat(text);
}

/** Reads cells; what cannot be read throws NotThat. */
export function orNotThat<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellFault) return refuse(error.message);
    throw error;
  }
}

/** What a reading gives, or undefined where it throws NotThat. */
export async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotThat) return undefined;
    throw error;
  }
}
