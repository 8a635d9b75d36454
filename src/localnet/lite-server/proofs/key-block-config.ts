import { readBlockRoot } from '../../../chain/tlb/block.ts';
import { readBlockExtra } from '../../../chain/tlb/block-extra.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../chain/tlb/masterchain-extra.ts';
import type { CellTree } from '../../store/chain-store.ts';
import { refuse } from '../lite-refusal.ts';

/** The root of the configuration that a key block holds. */
export function readKeyBlockConfig({ cells, root }: CellTree): number {
  const { masterchain } = readBlockExtra(cells, readBlockRoot(cells, root).extra);
  const extra = masterchain < 0 ? undefined : readMasterchainExtra(cells, masterchain);
  if (extra?.config === undefined) refuse('cannot unpack extra header of key block to extract configuration');
  // Clients made from the schema read this part with the rest.
  readMasterchainMessages(cells, extra.messages);
  return extra.config.root;
}
