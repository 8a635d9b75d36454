import type { TokenKind } from '../../db/event-tables.ts';
import { ASKED_PRIORITY } from '../../db/queries/ask-for-metadata.ts';

/** In which order tokens are fetched that nobody has asked for: few masters stand for many wallets. */
export const KIND_PRIORITIES: Readonly<Record<TokenKind, number>> = {
  jetton_masters: 2,
  nft_collections: 1,
  nft_items: 0,
};

/** All that there are, the most urgent first. */
export const PRIORITIES: readonly number[] = [ASKED_PRIORITY, 2, 1, 0];
