import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingNetwork } from '../../support/recorded-network.ts';
import { openReplayGround, type V2Ground } from '../support/v2-ground.ts';

const SHARD = '-9223372036854775808';
const RIGHT = '-4611686018427387904';

/** What the comparison with all recorded answers cannot ask about: the recording ends at another block. */
describe.skipIf(missingNetwork !== '')(`blocks of a recorded network${missingNetwork}`, () => {
  let ground: V2Ground;
  beforeAll(async () => {
    ground = await openReplayGround();
  });
  afterAll(() => ground.close());

  async function result(method: string, params: Readonly<Record<string, unknown>> = {}) {
    const { status, body } = await ground.call(method, params);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.result;
  }

  it('end with the block that the recording ends with', async () => {
    expect(await result('getMasterchainInfo')).toMatchObject({
      last: { seqno: 125, root_hash: 'MTcA48l1fj0/BCIuyBvreqkZdx9Qyn9rOcpHVyW7jqI=' },
      state_root_hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      init: { shard: '0', seqno: 0, root_hash: 'E0DFXShrXxb8JVKimMa9k6FtEopUQQk8JuGudy8TuUE=' },
    });
    expect((await result('getConsensusBlock')).consensus_block).toBe(125);
  });

  it('have empty queues in the end', async () => {
    const { shards, ext_msg_queue_size_limit: limit } = await result('getOutMsgQueueSize');
    expect(shards.map(({ id, size }: { id: { shard: string }; size: number }) => [id.shard, size])).toEqual([
      [SHARD, 0],
      ['4611686018427387904', 0],
      [RIGHT, 0],
    ]);
    expect(limit).toBe(8000);
  });

  it('are found by a shard around them', async () => {
    const found = await result('lookupBlock', { workchain: 0, shard: SHARD, seqno: 67 });
    expect(found).toMatchObject({ shard: RIGHT, root_hash: 'p1vLyUlObBoHcZv/Pp0S8omZEhTSFz/Oq6n3AppIFAc=' });
  });

  it('have numbers of 32 bits with a sign', async () => {
    const header = await result('getBlockHeader', { workchain: 0, shard: '4611686018427387904', seqno: 23 });
    expect(header.validator_list_hash_short).toBe(-998941288);
  });
});
