import { hash as hashOnce } from 'node:crypto';
import { beginCell, type Cell, Dictionary } from '@ton/core';

/** Content of a token that lies elsewhere (TEP-64). */
export function offChainContent(uri: string): Cell {
  return beginCell().storeUint(1, 8).storeStringTail(uri).endCell();
}

/** Content of a token that is on the chain (TEP-64): texts by the names of their attributes. */
export function onChainContent(attributes: Readonly<Record<string, string>>): Cell {
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, text] of Object.entries(attributes))
    values.set(
      hashOnce('sha256', name, 'buffer'),
      beginCell().storeUint(0, 8).storeStringTail(text).endCell(),
    );
  return beginCell().storeUint(0, 8).storeDict(values).endCell();
}
