import { type AccountAddress, fromBase64, parseAddress, toHex } from '../show/address-forms.ts';

/** A text in the search box, by what it may stand for. */
export type SearchQuery =
  | { readonly kind: 'account'; readonly address: AccountAddress }
  | { readonly kind: 'block'; readonly workchain: number; readonly shard: string; readonly seqno: number }
  | { readonly kind: 'hash'; readonly hex: string }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'other' };

const HASH_BYTES = 32;
const MAX_SEQNO = 2 ** 32 - 1;
const WHOLE_SHARD = '8000000000000000';
/** `(workchain,shard,seqno)`, as explorers and nodes write it, with or without brackets; hashes may follow. */
const BLOCK_ID = /^[([]?\s*(-?\d{1,10})\s*[,:]\s*(-?[0-9a-fx]{1,20})\s*[,:]\s*(\d{1,10})\s*[)\]]?(?::.*)?$/i;

/** Recognises an address, a block id, a masterchain seqno, a hash or a domain, in any of their forms. */
export function readQuery(text: string): SearchQuery {
  const query = text.trim();
  const address = parseAddress(query);
  if (address !== null) return { kind: 'account', address };
  const hex = readHash(query);
  if (hex !== null) return { kind: 'hash', hex };
  const seqno = /^#?([\d\s,'_]{1,20})$/.exec(query)?.[1]?.replace(/\D/g, '');
  if (seqno !== undefined && seqno !== '' && Number(seqno) <= MAX_SEQNO)
    return { kind: 'block', workchain: -1, shard: WHOLE_SHARD, seqno: Number(seqno) };
  const block = readBlockId(query);
  if (block !== null) return block;
  const domain = query.toLowerCase().replace(/\.$/, '');
  return /^[^\s/:]{1,120}\.[^\s/:.]{2,60}$/u.test(domain) ? { kind: 'domain', domain } : { kind: 'other' };
}

function readHash(text: string): string | null {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hex !== undefined) return hex.toUpperCase();
  const bytes = /^[\w+/-]{43}=?$/.test(text) ? fromBase64(text) : null;
  return bytes?.length === HASH_BYTES ? toHex(bytes) : null;
}

function readBlockId(text: string): SearchQuery | null {
  const [, workchain, shard = '', seqno] = BLOCK_ID.exec(text) ?? [];
  const bits = workchain === undefined ? null : readShard(shard);
  if (bits === null || Number(seqno) > MAX_SEQNO) return null;
  return { kind: 'block', workchain: Number(workchain), shard: bits, seqno: Number(seqno) };
}

/** 16 hex digits; or the same number in decimal, with a sign as in v2. */
function readShard(text: string): string | null {
  if (/^(?:0x)?[0-9a-f]{16}$/i.test(text)) return text.slice(-16).toLowerCase();
  if (!/^-?\d{1,20}$/.test(text)) return null;
  return BigInt.asUintN(64, BigInt(text)).toString(16).padStart(16, '0');
}
