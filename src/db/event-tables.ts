import type { ColumnType } from 'kysely';
import type { BigInteger, Decimal, DefaultTime } from './column-types.ts';

/** The transaction of an event: `account` is the jetton wallet or the NFT that was asked to do it. */
interface OfTransaction {
  readonly account: Buffer;
  readonly lt: BigInteger;
  readonly mc_seqno: number;
  readonly now: BigInteger;
  readonly aborted: boolean;
  readonly query_id: Decimal;
}

/** A wallet of a jetton was asked to send some of it. */
export interface JettonTransfersTable extends OfTransaction {
  readonly jetton: Buffer;
  readonly amount: Decimal;
  readonly source: Buffer;
  readonly destination: Buffer | null;
  readonly response_destination: Buffer | null;
  readonly custom_payload: Buffer | null;
  readonly forward_ton_amount: Decimal;
  /** Null also where the payload is inside the message itself. */
  readonly forward_payload: Buffer | null;
}

/** A wallet of a jetton was asked to burn some of it. */
export interface JettonBurnsTable extends OfTransaction {
  readonly jetton: Buffer;
  readonly amount: Decimal;
  readonly owner: Buffer;
  readonly response_destination: Buffer | null;
  readonly custom_payload: Buffer | null;
}

/** An NFT was asked to go to another owner. */
export interface NftTransfersTable extends OfTransaction {
  readonly collection: Buffer | null;
  readonly index: Decimal;
  readonly old_owner: Buffer;
  readonly new_owner: Buffer | null;
  readonly response_destination: Buffer | null;
  readonly custom_payload: Buffer | null;
  readonly forward_amount: Decimal;
  readonly forward_payload: Buffer | null;
}

/** What an event asks for. */
export type EventKind = 'jetton_transfer' | 'jetton_burn' | 'nft_transfer';

/** An event of an account of which it is not known yet what it is. */
export interface WaitingEventsTable extends OfTransaction {
  readonly kind: EventKind;
  readonly amount: Decimal | null;
  readonly source: Buffer;
  readonly destination: Buffer | null;
  readonly response_destination: Buffer | null;
  readonly custom_payload: Buffer | null;
  readonly forward_amount: Decimal | null;
  readonly forward_payload: Buffer | null;
}

/** Contracts that have a name and an image to show; named like their tables. */
export type TokenKind = 'jetton_masters' | 'nft_collections' | 'nft_items';

/** What is shown of a token. */
export interface TokenMetadataTable {
  readonly account: Buffer;
  readonly kind: TokenKind;
  /** Of the content that the contract has; when it changes, everything is read anew. */
  readonly source_hash: Buffer;
  /** Whether it can be shown; null as long as it was not fetched. */
  readonly valid: boolean | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly symbol: string | null;
  /** Everything else, as JSON. */
  readonly extra: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>;
  /** Why it was not to be had. */
  readonly error: string | null;
  readonly is_nsfw: ColumnType<boolean, boolean | undefined, boolean>;
  readonly is_scam: ColumnType<boolean, boolean | undefined, boolean>;
  /** Unix seconds, as below. */
  readonly updated_at: BigInteger | null;
  readonly expires_at: BigInteger | null;
  readonly tries: ColumnType<number, number | undefined, number>;
  /** Those with a higher one are fetched first. */
  readonly priority: ColumnType<number, number | undefined, number>;
  /** When it is fetched; null when nothing is to be fetched. */
  readonly next_try: DefaultTime | null;
}
