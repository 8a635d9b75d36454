import type { ClientBase } from 'pg';
import type { Claim } from '../chunks/claim.ts';
import { ClaimLost } from '../chunks/claim-lost.ts';

interface ChunkRow {
  readonly first_seqno: number;
  readonly last_seqno: number | null;
  readonly done_seqno: number;
  readonly owner: string | null;
}

/**
 * Locks the chunk of a claim until the end of the transaction. False when the seqnos are written already: a commit may
 * have come about although its answer was lost. `ClaimLost` when others are at work there.
 */
export async function lockChunk(
  client: ClientBase,
  claim: Claim,
  seqnos: { readonly first: number; readonly last: number },
): Promise<boolean> {
  const { rows } = await client.query<ChunkRow>(
    `select first_seqno, last_seqno, done_seqno, owner from index_chunks
     where first_seqno <= $1 order by first_seqno desc limit 1 for update`,
    [claim.firstSeqno],
  );
  const [chunk] = rows;
  if (chunk === undefined) throw new ClaimLost(`There is no chunk from ${claim.firstSeqno} any more`);
  const isOurs = chunk.first_seqno === claim.firstSeqno && chunk.owner === claim.owner;
  if (chunk.done_seqno >= seqnos.last && (isOurs || chunk.owner === null)) return false;
  if (!isOurs)
    throw new ClaimLost(`The chunk from ${claim.firstSeqno} belongs to ${chunk.owner ?? 'nobody'} now`);
  const isInside = seqnos.last <= (chunk.last_seqno ?? Number.POSITIVE_INFINITY);
  if (chunk.done_seqno !== seqnos.first - 1 || !isInside)
    throw new ClaimLost(
      `The chunk from ${claim.firstSeqno} to ${chunk.last_seqno ?? 'the head'} stands at ${chunk.done_seqno}, ` +
        `so ${seqnos.first} to ${seqnos.last} cannot be written`,
    );
  return true;
}

/** Notes how far a locked chunk is written; one that is finished belongs to nobody. */
export async function moveChunk(client: ClientBase, claim: Claim, doneSeqno: number): Promise<void> {
  await client.query(
    `update index_chunks set done_seqno = $2, beat = clock_timestamp(),
       owner = case when last_seqno = $2 then null else owner end
     where first_seqno = $1`,
    [claim.firstSeqno, doneSeqno],
  );
}
