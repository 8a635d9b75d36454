import type { CellEntry } from '../stack/stack-entry.ts';
import type { AccountId } from '../tl/names.ts';
import type { Probe } from './probe.ts';
import type { TokenContent } from './token-content.ts';

/** What a jetton says of itself. */
export interface JettonMaster {
  readonly totalSupply: bigint;
  readonly mintable: boolean;
  readonly admin: AccountId | undefined;
  readonly content: TokenContent;
  readonly walletCode: CellEntry;
}

/** Reads a contract as a jetton; throws NotThat if it is none. */
export async function readJettonMaster(probe: Probe, maxContentBytes?: number): Promise<JettonMaster> {
  const answer = (await probe.run('get_jetton_data')).atLeast(5);
  return {
    totalSupply: answer.integer(0),
    mintable: answer.integer(1) !== 0n,
    admin: answer.address(2),
    content: answer.content(3, maxContentBytes),
    walletCode: answer.cell(4),
  };
}
