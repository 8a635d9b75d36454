import type { PlainRow } from './plain-row.ts';

const SHOWN = ['name', 'description', 'image', 'symbol'] as const;
const NEEDED = {
  jetton_masters: ['symbol'],
  nft_collections: ['name', 'description', 'image'],
  nft_items: ['name', 'domain'],
} as const;

/** What is shown of a token before anything was fetched, by what the token says. */
export function metadataOf(kind: keyof typeof NEEDED, { account, content }: PlainRow): PlainRow {
  const left = { ...(content as Record<string, string>) };
  const isUsable = NEEDED[kind].some((name) => left[name]);
  const isDue = (left.uri ?? '') !== '';
  const shown = Object.fromEntries(SHOWN.map((name) => [name, left[name] ?? null]));
  for (const name of SHOWN) delete left[name];
  const valid = isUsable || (isDue ? null : false);
  return {
    ...{ account, kind, valid, ...shown },
    extra: Object.keys(left).length === 0 ? null : left,
    error: valid === false ? 'the contract says nothing that can be shown' : null,
    ...{ is_nsfw: false, is_scam: false, updated_at: null, expires_at: null, tries: '0', isDue },
  };
}
