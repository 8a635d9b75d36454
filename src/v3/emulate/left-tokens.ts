import type { TokenInfoRow } from '../../db/queries/token-infos.ts';
import type { EmulatedTrace } from '../../pending/emulated-trace.ts';
import { formatAccount } from '../account-bytes.ts';
import type { MetadataEntry } from '../metadata.ts';
import { accountOf } from '../unindexed/in-order.ts';
import type { EmulateCall, LeftState } from './emulate-call.ts';

/** Accounts whose states are looked into, at most. */
const MAX_JUDGED = 32;

type TokenInfo = MetadataEntry['token_info'][number];

/** What is to be said of tokens that the index does not know, because they come into being in an emulation. */
export async function describeLeftTokens(
  { emulation, signal }: EmulateCall,
  { transactions, utime }: EmulatedTrace,
  known: Readonly<Record<string, MetadataEntry>>,
): Promise<Record<string, MetadataEntry>> {
  const left = new Map<string, LeftState>();
  for (const { account, after } of transactions) {
    const key = accountOf({ account });
    if (!(formatAccount(key) in known)) left.set(key.toString('latin1'), { account: key, boc: after });
  }
  const rows = await emulation.tokens([...left.values()].slice(0, MAX_JUDGED), utime, signal);
  const entries: Record<string, MetadataEntry> = {};
  for (const row of rows) {
    const before = entries[formatAccount(row.account)]?.token_info ?? [];
    entries[formatAccount(row.account)] = { is_indexed: false, token_info: [...before, infoOf(row)] };
  }
  return entries;
}

function infoOf(row: TokenInfoRow): TokenInfo {
  if (row.kind === 'jetton_wallets') {
    const { kind, owner, jetton, balance } = row;
    return { type: kind, extra: { balance, jetton: formatAccount(jetton), owner: formatAccount(owner) } };
  }
  const { kind, name, symbol, description, image, nft_index, extra } = row;
  return {
    type: kind,
    ...(name !== null && { name }),
    ...(symbol !== null && { symbol }),
    ...(description !== null && { description }),
    ...(image !== null && { image }),
    ...(nft_index !== null && { nft_index }),
    ...(extra !== null && { extra }),
  };
}
