import { hash as hashOnce } from 'node:crypto';
import type { TokenKind } from '../../db/event-tables.ts';
import type { MetadataSettings } from './metadata-settings.ts';
import { type ChainContent, type TokenFields, tokenFields } from './token-fields.ts';

/** What the chain alone says of a token. */
export interface ChainMetadata {
  readonly fields: TokenFields;
  /** Whether that is enough to show it. */
  readonly isUsable: boolean;
  /** Whether more is to be fetched. */
  readonly hasLink: boolean;
  /** Changes with the content. */
  readonly hash: Buffer;
}

/** One of these is needed to show a token. */
const NEEDED = {
  jetton_masters: ['symbol'],
  nft_collections: ['name', 'description', 'image'],
  nft_items: ['name', 'domain'],
} as const satisfies Record<TokenKind, readonly string[]>;

/** Reads what a contract says of its token. */
export function chainMetadata(
  kind: TokenKind,
  content: ChainContent,
  settings: Pick<MetadataSettings, 'imgproxy' | 'ipfsGateway'>,
): ChainMetadata {
  const members = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    fields: tokenFields(content, {}, settings),
    isUsable: NEEDED[kind].some((name) => content[name]),
    hasLink: linkOf(content) !== undefined,
    hash: hashOnce('sha256', JSON.stringify(members), 'buffer'),
  };
}

/** Where there is more about a token. */
export function linkOf(content: ChainContent): string | undefined {
  return content.url?.trim() || content.uri?.trim() || undefined;
}
