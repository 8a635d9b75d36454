import type { ClientBase } from 'pg';
import { CONTRACT_TABLES, type ContractTable } from '../../db/tables/contract-tables.ts';
import type { TokenKind } from '../../db/tables/tables.ts';
import { KIND_PRIORITIES } from '../read/address-info.ts';
import type { ContractColumns, FoundContract } from './detected-contracts.ts';

/** On-chain content of a token. */
export type ChainContent = Readonly<Record<string, string>>;

/** The stored metadata of a token; `extra` is JSON. */
export interface TokenFields {
  readonly name: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly symbol: string | null;
  readonly extra: string | null;
}

/** On-chain metadata of a token. */
export interface ChainMetadata {
  readonly fields: TokenFields;
  /** Whether it is enough to display the token. */
  readonly isUsable: boolean;
  /** Whether there is a document to fetch. */
  readonly hasLink: boolean;
  /** Changes with the content. */
  readonly hash: Buffer;
}

/** Reads the metadata that the content of a token has. */
export type ReadChainMetadata = (kind: TokenKind, content: ChainContent) => ChainMetadata;

interface MetadataRow extends ChainMetadata {
  readonly account: Buffer;
  readonly kind: TokenKind;
}

const UPSERT = `
insert into token_metadata as kept (account, kind, source_hash, valid, name, description, image, symbol, extra, error,
  priority, next_try)
select account, kind, source_hash, valid, name, description, image, symbol, extra::jsonb,
  case when not valid then 'the contract has no displayable content' end,
  priority, case when has_link then now() end
from unnest($1::bytea[], $2::token_kind[], $3::bytea[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::text[], $10::smallint[], $11::boolean[])
  as one (account, kind, source_hash, valid, name, description, image, symbol, extra, priority, has_link)
order by account, kind
on conflict (account, kind) do update set source_hash = excluded.source_hash, valid = excluded.valid,
  name = excluded.name, description = excluded.description, image = excluded.image, symbol = excluded.symbol,
  extra = excluded.extra, error = excluded.error, updated_at = null, expires_at = null, tries = 0,
  priority = excluded.priority, next_try = excluded.next_try
where kept.source_hash <> excluded.source_hash`;

/**
 * Writes the on-chain metadata of the tokens among contracts and queues their documents, where the content is new. Call it
 * in the transaction that writes the contracts, and only for those that were written.
 */
export async function writeMetadata(
  client: ClientBase,
  found: readonly FoundContract[],
  read: ReadChainMetadata,
): Promise<void> {
  const rows = found.flatMap((contract) => toRow(contract, read) ?? []);
  if (rows.length === 0) return;
  await client.query(UPSERT, [
    rows.map(({ account }) => account),
    rows.map(({ kind }) => kind),
    rows.map(({ hash }) => hash),
    rows.map(({ isUsable, hasLink }) => (isUsable ? true : hasLink ? null : false)),
    rows.map(({ fields }) => fields.name),
    rows.map(({ fields }) => fields.description),
    rows.map(({ fields }) => fields.image),
    rows.map(({ fields }) => fields.symbol),
    rows.map(({ fields }) => fields.extra),
    rows.map(({ kind }) => KIND_PRIORITIES[kind]),
    rows.map(({ hasLink }) => hasLink),
  ]);
}

/** Deletes the metadata of contracts that are no longer tokens of a kind; other tables are ignored. */
export async function dropMetadata(
  client: ClientBase,
  table: ContractTable,
  accounts: readonly Buffer[],
): Promise<void> {
  if (!isTokenKind(table) || accounts.length === 0) return;
  await client.query('delete from token_metadata where kind = $1 and account = any($2::bytea[])', [
    table,
    accounts,
  ]);
}

function toRow({ table, account, columns }: FoundContract, read: ReadChainMetadata): MetadataRow | undefined {
  if (!isTokenKind(table)) return undefined;
  const { content } = columns as ContractColumns<TokenKind>;
  return { account, kind: table, ...read(table, content) };
}

function isTokenKind(table: ContractTable): table is TokenKind {
  return table in KIND_PRIORITIES;
}

/** The tables whose contracts have metadata. */
export const TOKEN_KINDS = CONTRACT_TABLES.filter(isTokenKind);
