import Type from 'typebox';
import type { AcceptedMessage } from '../../pending/accepted-message.ts';
import { Hash256 } from './block-id.ts';

/** `ok`: a message was taken by at least one lite server. */
export const ResultOk = Type.Object({ '@type': Type.Literal('ok') });

/** Writes `ok`. */
export function resultOk() {
  return { '@type': 'ok' as const };
}

/** `raw.extMessageInfo`: the hashes by which a message can be found. */
export const ExtMessageInfo = Type.Object({
  '@type': Type.Literal('raw.extMessageInfo'),
  hash: Hash256(),
  hash_norm: Hash256(),
});

/** Writes `raw.extMessageInfo`. */
export function extMessageInfo({ hash, normalizedHash }: AcceptedMessage) {
  return {
    '@type': 'raw.extMessageInfo' as const,
    hash: hash.toString('base64'),
    hash_norm: normalizedHash.toString('base64'),
  };
}
