import { createHash } from 'node:crypto';
import { MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { createFilledTestDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { MadeChain, type MadeMessage, type MadeTransaction } from '../../support/made-chain.ts';
import {
  type MadeBlock,
  type MadeSeqno,
  putOrigin,
  seqnosOf,
  storeSeqnos,
} from '../../support/store-transactions.ts';

/** Seqnos of the chain, from 1, and of a partition. */
export const SEQNOS = 60;
export const WIDTH = 10;
/** The shard of the basechain from seqno 21 to 40; before it was whole, then this half was split again. */
export const VANISHED_SHARD = '4000000000000000';
const [SPLIT_AT, SPLIT_AGAIN_AT] = [21, 41];
const [STEP_LT, STEP_SECONDS, FIRST_UTIME] = [1000n, 5, 1_700_000_000];

/** The account of a name; it is in the first half of the basechain, or in the masterchain if the name says so. */
export function borderAccount(name: string): Buffer {
  const key = Buffer.concat([Buffer.of(0), createHash('sha256').update(name).digest()]);
  if (name.startsWith('masterchain')) key[0] = 0xff;
  else key[1] = key[1]! & 0x3f;
  return key;
}

/** An account with a transaction in the first, in the third and in the last partition. */
export const RARE = borderAccount('rare');
const RARE_SEQNOS = [4, 25, 57];
/** An account with a transaction in every seqno. */
export const BUSY = borderAccount('busy');
const OTHERS = ['one', 'two', 'masterchain one', 'three'].map(borderAccount);

const ltOf = (seqno: number) => BigInt(seqno) * STEP_LT;
const timeOf = (seqno: number) => FIRST_UTIME + seqno * STEP_SECONDS;

/**
 * A chain of several partitions. In each seqno three external messages are received at the same logical time, each by
 * another account. The first trace of a seqno ends with it, the second one in the next seqno, the third one eight seqnos
 * later, so that many traces cross the borders of partitions.
 */
export function makeBorderedChain(): MadeTransaction[] {
  const chain = new MadeChain();
  const made: MadeTransaction[] = [];
  const put = (
    seqno: number,
    account: Buffer,
    lt: bigint,
    message: MadeMessage,
    out: readonly MadeMessage[],
  ) =>
    made.push(
      chain.transaction({
        account,
        lt,
        now: timeOf(seqno),
        mcSeqno: seqno,
        block: blockOf(account, seqno),
        in: message,
        out,
      }),
    );
  for (let seqno = 1; seqno <= SEQNOS; seqno++) {
    const first = RARE_SEQNOS.includes(seqno) ? RARE : OTHERS[seqno % OTHERS.length]!;
    const starts = [first, BUSY, OTHERS[(seqno + 1) % OTHERS.length]!];
    for (const [turn, hops] of [0, 1, 8].entries()) {
      const from = starts[turn]!;
      const [lt, at] = [ltOf(seqno), timeOf(seqno)];
      const end = seqno + hops;
      const to = OTHERS[(seqno + turn + 2) % OTHERS.length]!;
      // The same body in every seqno, and a packed external message in every other one.
      const external = chain.external({
        to: from,
        body: { bytes: Buffer.from(`${seqno}`) },
        importFee: BigInt(seqno % 2),
      });
      const body = { opcode: 0, bytes: Buffer.from(`turn ${turn}`) };
      const sent = chain.internal({ from, to, lt: lt + 1n, at, value: 1n, bounce: false, body });
      put(seqno, from, lt, external, end <= SEQNOS ? [sent] : []);
      if (end <= SEQNOS) put(end, to, ltOf(end) + 10n * BigInt(turn + 1), sent, []);
    }
  }
  return made;
}

/** The shards of the basechain at a seqno. */
function shardsAt(seqno: number): readonly bigint[] {
  if (seqno < SPLIT_AT) return [WHOLE_SHARD];
  const right = BigInt.asIntN(64, 0xc000000000000000n);
  return seqno < SPLIT_AGAIN_AT
    ? [0x4000000000000000n, right]
    : [0x2000000000000000n, 0x6000000000000000n, right];
}

function blockOf(account: Buffer, seqno: number) {
  const shard = account[0] === 0xff ? WHOLE_SHARD : shardsAt(seqno)[0]!;
  return { shard, seqno };
}

/** The seqnos of a range with all their blocks. */
export function borderedSeqnos(first: number, last: number, chain = makeBorderedChain()): MadeSeqno[] {
  return seqnosOf(chain, { first, last }).map((one) => {
    const { mcSeqno } = one;
    const times = {
      genUtime: timeOf(mcSeqno),
      startLt: ltOf(mcSeqno),
      endLt: ltOf(mcSeqno) + STEP_LT - 1n,
    };
    const blocks: MadeBlock[] = [
      { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: mcSeqno, ...times },
      ...shardsAt(mcSeqno).map((shard) => ({ workchain: 0, shard, seqno: mcSeqno, ...times })),
    ];
    return { ...one, blocks };
  });
}

/** A copy of an index with the whole chain. */
export function openBorderedIndex(): Promise<TestDatabase> {
  return createFilledTestDatabase({
    name: 'bordered',
    source: 'test/v3/support/bordered-index.ts',
    async fill({ url, database }) {
      await putOrigin(database.primary, 1, WIDTH);
      await storeSeqnos({ url, database }, borderedSeqnos(1, SEQNOS));
    },
  });
}

/** An empty index for parts of the chain. */
export async function openEmptyBorderedIndex(): Promise<TestDatabase> {
  const test = await createTestDatabase();
  await putOrigin(test.database.primary, 1, WIDTH);
  return test;
}
