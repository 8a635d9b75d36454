import { VALIDATOR_EVENT_TYPES } from '../../../src/chain/messages/elector-messages.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { madeHistory, writeHistory } from '../../ingest/validators/made-history.ts';
import type { TestDatabase } from '../../support/database.ts';
import { adnlOf, holderOf, keyOf } from '../../support/made-elector.ts';
import { scatter } from './made-rows.ts';

/** The account of a made stake holder. */
export const accountOf = (number: number) => Buffer.concat([Buffer.of(0xff), holderOf(number)]);

/** Made events of stakes. */
export const EVENTS = Array.from({ length: 60 }, (_, i) => {
  const type = VALIDATOR_EVENT_TYPES[i % 5]!;
  const isStake = type === 'stake_accepted' || type === 'stake_rejected';
  const number = scatter(i, 4);
  return {
    tx_hash: hashOf(`event ${i}`),
    lt: `${70_000_000_000_000 + scatter(i + 100, 20)}`,
    utime: `${1_790_000_000 + scatter(i + 200, 10)}`,
    mc_seqno: 1 + (i % 20),
    type,
    holder: accountOf(number),
    pubkey: isStake ? keyOf(number) : null,
    adnl: isStake ? adnlOf(number) : null,
    election_id: isStake ? '1790010000' : null,
    query_id: `${2n ** 64n - 1n}`,
    amount: `${i}`,
    reason: type === 'stake_rejected' ? i % 7 : null,
  };
});

/** Puts made events, elections, cycles and complaints into an index. */
export async function putValidators({
  database,
  url,
}: Pick<TestDatabase, 'database' | 'url'>): Promise<void> {
  await database.primary.insertInto('validator_events').values(EVENTS).execute();
  await writeHistory(url, [madeHistory()]);
}
