import type { TokenInfoRow } from '../db/queries/token-infos.ts';
import { createJudges } from '../indexer/classify/unindexed/judges.ts';
import { stateOfShardAccount } from '../indexer/classify/unindexed/state-of.ts';
import { createDetection } from '../indexer/detect/create-detection.ts';
import type { ContractColumns } from '../indexer/detect/detector.ts';
import { DETECTORS } from '../indexer/detect/detectors.ts';
import { knownContracts } from '../indexer/detect/known-contracts.ts';
import type { FoundContract } from '../indexer/detect/verdicts.ts';
import { chainMetadata } from '../indexer/metadata/chain-metadata.ts';
import { METADATA_SETTINGS } from '../indexer/metadata/metadata-settings.ts';
import type { EmulationPort } from '../v3/emulate/emulate-call.ts';
import type { PendingClassifierOptions } from './pending-classifier.ts';

const TOKENS = ['jetton_masters', 'jetton_wallets', 'nft_collections', 'nft_items'] as const;
type TokenTable = (typeof TOKENS)[number];
const TOKEN_DETECTORS = DETECTORS.filter(({ table }) => isToken(table));

/** Says what accounts are in the world of tokens by states that only an emulation knows. */
export function createEmulatedTokens(options: PendingClassifierOptions): EmulationPort['tokens'] {
  const { network, database, log } = options;
  const judge = createJudges(
    createDetection({
      ...options,
      db: database.primary,
      detectors: TOKEN_DETECTORS,
      known: knownContracts(network === 'mainnet' || network === 'testnet' ? network : 'other'),
    }),
    TOKEN_DETECTORS,
  );
  return async (states, utime, signal) => {
    if (states.length === 0) return [];
    try {
      const judged = states.map(({ account, boc }) => stateOfShardAccount(account, boc, utime));
      const { found } = await judge(judged, signal);
      return found.flatMap(toRow);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'Tokens of an emulation could not be recognised');
      return [];
    }
  };
}

function isToken(table: string): table is TokenTable {
  return TOKENS.some((token) => token === table);
}

function toRow({ table, account, columns }: FoundContract): TokenInfoRow[] {
  if (!isToken(table)) return [];
  if (table === 'jetton_wallets') {
    const { owner, jetton, balance } = columns as ContractColumns<'jetton_wallets'>;
    return [{ kind: table, account, owner, jetton, balance: String(balance) }];
  }
  const { content } = columns as ContractColumns<'jetton_masters'>;
  const { fields } = chainMetadata(table, content as Readonly<Record<string, string>>, METADATA_SETTINGS);
  const index = table === 'nft_items' ? String((columns as ContractColumns<'nft_items'>).index) : null;
  return [
    {
      ...{ kind: table, account, nft_index: index, valid: null, is_nsfw: null, is_scam: null },
      ...fields,
      extra: fields.extra === null ? null : JSON.parse(fields.extra),
    },
  ];
}
