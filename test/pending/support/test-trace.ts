import { createHash } from 'node:crypto';
import type { ActionRow } from '../../../src/index/action-row.ts';
import type { StoredTrace } from '../../../src/pending/pending-traces.ts';

/** The hash of a name. */
export function hashOf(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}

/** The account of a name, as 33 bytes. */
export function accountOf(name: string): Buffer {
  return Buffer.concat([Buffer.of(0), hashOf(name)]);
}

interface MadeTrace {
  readonly accounts?: readonly string[];
  /** Accounts of an action that are in no transaction. */
  readonly parties?: readonly string[];
  readonly bytes?: number;
  readonly updatedAt?: number;
}

/** A trace with a given name; its message is not in normalized form. */
export function madeTrace(
  name: string,
  { accounts = [name], parties = [], bytes = 10, updatedAt = 1 }: MadeTrace = {},
): StoredTrace {
  return {
    externalHash: hashOf(`message ${name}`),
    normalizedHash: hashOf(name),
    acceptedAt: 1,
    updatedAt,
    sinceSeqno: 5,
    finality: 'pending',
    bound: undefined,
    transactions: accounts.map((account, at) => ({
      account: { workchain: 0, hash: hashOf(account) },
      boc: Buffer.alloc(bytes, 7),
      hash: hashOf(`${name} ${at}`),
      lt: BigInt(at),
      inMessageHash: hashOf(`in ${name} ${at}`),
      parent: at === 0 ? undefined : at - 1,
      emulated: true,
      finality: 'pending',
      mcSeqno: 5,
      block: undefined,
    })),
    classification: {
      state: 'ok',
      actions: [
        { accounts: parties.map(accountOf), tx_hashes: [], data: { text: 'a' } } as unknown as ActionRow,
      ],
    },
  };
}
