import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampled } from '../../support/long-run.ts';
import { type FaultyServers, openFaultyServers } from '../support/faulty-servers.ts';
import { TRANSPORTS } from '../support/transports.ts';

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';
const MASTERCHAIN = { workchain: -1, shard: '-9223372036854775808' };
/** The part of the chain on the server without an archive. */
const OLDEST = 20;
const OLDEST_STATE = 30;
/** A block that it does not have, one without its state, and one with everything. */
const GONE = 5;
const STATELESS = 25;
const KEPT = 35;
const HEAD = 40;
const ROUNDS = sampled(2, 5);

let context: FaultyServers;
beforeAll(async () => {
  context = await openFaultyServers({
    servers: 2,
    timing: { firstProbeMs: 10, probeMs: 50, recheckFirstMs: 30, recheckMaxMs: 60, pollMs: 50 },
  });
  await context.mine(HEAD - context.pool.head!.seqno);
  context.servers[0]!.limit({ oldest: OLDEST, oldestState: OLDEST_STATE });
  // The archive server is slower, so the other one is tried first.
  context.servers[1]!.misbehave({ kind: 'slow', delayMs: 30 });
});
afterAll(() => context?.close());

/** Waits until the pool knows its servers: `<state> <oldest block>`. */
const untilSeen = (...expected: string[]) =>
  vi.waitFor(
    () => {
      const seen = context.pool.servers().map(({ state, oldestSeqno }) => `${state} ${oldestSeqno}`);
      expect(seen).toEqual(expected);
    },
    { timeout: 120_000 },
  );

/** All requests about a masterchain block. */
const questionsAt = (seqno: number): [string, object][] => [
  ['getAddressInformation', { address: ELECTOR, seqno }],
  ['getAddressBalance', { address: ELECTOR, seqno }],
  ['getAddressState', { address: `0:${'ab'.repeat(32)}`, seqno }],
  ['getExtendedAddressInformation', { address: ELECTOR, seqno }],
  ['getWalletInformation', { address: ELECTOR, seqno }],
  ['getShardAccountCell', { address: ELECTOR, seqno }],
  ['runGetMethod', { address: ELECTOR, method: 'active_election_id', stack: [], seqno }],
  ['getConfigParam', { param: 15, seqno }],
  ['getConfigAll', { seqno }],
  ['getShards', { seqno }],
  ['lookupBlock', { ...MASTERCHAIN, seqno }],
  ['getBlockHeader', { ...MASTERCHAIN, seqno }],
  ['getBlockTransactions', { ...MASTERCHAIN, seqno }],
  ['getBlockTransactionsExt', { ...MASTERCHAIN, seqno }],
];

async function ask([name, params]: [string, object]) {
  const { status, body } = await context.call(name, params as Record<string, unknown>);
  return { name, status, error: body.error, result: body.result, workers: body['@extra'].split(':')[1] };
}

describe('v2 with an archive server and one without full history', () => {
  beforeEach(() => untilSeen(`live ${OLDEST}`, 'live 1'));

  it.each([GONE, STATELESS, KEPT])('answers every request about block %s correctly', async (seqno) => {
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      context.forget();
      for (const answer of await Promise.all(questionsAt(seqno).map(ask))) {
        expect({ ...answer, result: undefined }).toMatchObject({ status: 200, error: undefined });
        const block = answer.result.block_id ?? answer.result.id;
        if (block !== undefined) expect({ ...answer, seqno: block.seqno }).toMatchObject({ seqno });
        seen.add(answer.workers);
      }
    }
    // Blocks known to be too old go to the archive server directly; others are tried first.
    const first = { [GONE]: /^1$/, [STATELESS]: /^(0|1|0,1)$/, [KEPT]: /^[01]$/ }[seqno]!;
    expect([...seen].filter((workers) => !first.test(workers))).toEqual([]);
    if (seqno === STATELESS) expect(seen).toContain('0,1');
  });

  it('returns a whole history that one server has only in part', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      context.forget();
      const { result, error } = await ask(['getTransactions', { address: ELECTOR, limit: 60 }]);
      expect(error).toBeUndefined();
      expect(result).toHaveLength(60);
      const { lt, hash } = result.at(-1).transaction_id;
      const older = await ask(['getTransactions', { address: ELECTOR, limit: 1, lt, hash }]);
      expect(older.result).toEqual([result.at(-1)]);
    }
  });
});

describe('v2 without an archive server', () => {
  beforeAll(() => context.servers[1]!.stop());
  beforeEach(async () => {
    await untilSeen(`live ${OLDEST}`, 'down 1');
    context.forget();
  });

  it('returns the error text of the lite server for missing blocks and states', async () => {
    for (const [seqno, text] of [
      [
        GONE,
        /^LITE_SERVER_NOTREADY: cannot find block \(-1,8000000000000000\) seqno=5: .*(not in db|not found)$/,
      ],
      [STATELESS, /^LITE_SERVER_ERROR: (.* : )?state already gc'd$/],
    ] as const)
      for (const transport of TRANSPORTS)
        expect(await context.call('getAddressBalance', { address: ELECTOR, seqno }, transport)).toMatchObject(
          {
            status: 500,
            body: { ok: false, code: 500, error: expect.stringMatching(text) },
          },
        );
    for (const answer of await Promise.all(questionsAt(GONE).map(ask)))
      expect(answer).toMatchObject({ status: 500, error: expect.stringMatching(/^LITE_SERVER_NOTREADY: /) });
  });

  it('answers requests about blocks that the server still has', async () => {
    for (const answer of await Promise.all(questionsAt(KEPT).map(ask)))
      expect({ ...answer, result: undefined }).toMatchObject({ status: 200, workers: '0' });
  });

  it('fails for a history that goes too far back instead of cutting it short', async () => {
    expect(await ask(['getTransactions', { address: ELECTOR, limit: 10 }])).toMatchObject({ status: 200 });
    expect(await ask(['getTransactions', { address: ELECTOR, limit: 60 }])).toMatchObject({
      status: 500,
      error: expect.stringMatching(/^LITE_SERVER_UNKNOWN: cannot compute block with specified transaction: /),
    });
  });

  it('fails for archival=true', async () => {
    expect(await ask(['getTransactions', { address: ELECTOR, archival: true }])).toMatchObject({
      status: 542,
      error: 'failed to get session: no workers available (archival=1 mode=Single)',
    });
  });
});

it('fails for a block that does not exist yet with the head of the server', async () => {
  for (const seqno of [HEAD + 1, HEAD + 1000, 2 ** 31 - 1])
    for (const answer of await Promise.all(questionsAt(seqno).map(ask)))
      expect(answer).toMatchObject({
        status: 500,
        error: expect.stringMatching(
          new RegExp(
            `^LITE_SERVER_NOTREADY: cannot find block .* seqno=${seqno}: .* \\(last known masterchain block: ${HEAD}\\)$`,
          ),
        ),
      });
});
