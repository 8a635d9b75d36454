import { once } from 'node:events';
import { LiteClient, LiteSingleEngine } from 'ton-lite-client';
import { Functions } from 'ton-lite-client/dist/schema.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { splitWaitPrefix } from '../../../src/chain/tl/lite-envelope.ts';
import { LiteServerError } from '../../../src/lite/errors.ts';
import { decodeResponse, encodeRequest, encodeResponse } from '../../../src/lite/methods/codec.ts';
import { decodeRequest, type LiteServer } from '../../support/lite-server.ts';
import { testConnection, testServer } from './test-connection.ts';

const id = {
  workchain: -1,
  shard: -0x8000000000000000n,
  seqno: 125,
  rootHash: Buffer.alloc(32, 1),
  fileHash: Buffer.alloc(32, 2),
};
const info = {
  last: id,
  stateRootHash: Buffer.alloc(32, 3),
  init: { workchain: -1, rootHash: Buffer.alloc(32, 4), fileHash: Buffer.alloc(32, 5) },
};
const block = Buffer.alloc(1_500_000, 'block');
const waits: unknown[] = [];

/** A chain of one block. */
function answer(bytes: Buffer): Buffer {
  const { wait, request: bare } = splitWaitPrefix(bytes);
  waits.push(wait);
  const request = decodeRequest(bare);
  switch (request.method) {
    case 'getMasterchainInfo':
      return encodeResponse('getMasterchainInfo', info);
    case 'getBlock':
      return encodeResponse('getBlock', { id: request.id, data: block });
    default:
      throw new LiteServerError(621, 'unknown method');
  }
}

async function engineFor(server: LiteServer): Promise<LiteSingleEngine> {
  const engine = new LiteSingleEngine({
    host: `tcp://${server.host}:${server.port}`,
    publicKey: server.publicKey,
  });
  onTestFinished(() => engine.close());
  await once(engine, 'ready');
  return engine;
}

describe("ton-lite-client's own engine", () => {
  it('works with our server', async () => {
    const engine = await engineFor(await testServer(answer));
    const client = new LiteClient({ engine });
    const got = await client.getMasterchainInfo();
    expect(got.last).toMatchObject({ seqno: 125, rootHash: id.rootHash, fileHash: id.fileHash });
    const request = { kind: 'liteServer.getMasterchainInfo' } as const;
    const many = Array.from({ length: 200 }, () =>
      engine.query(Functions.liteServer_getMasterchainInfo, request),
    );
    expect((await Promise.all(many)).every(({ last }) => last.seqno === 125)).toBe(true);
  });

  it('gets a large response, a refusal, and waits for a block', async () => {
    const engine = await engineFor(await testServer(answer));
    const { data } = await engine.query(Functions.liteServer_getBlock, {
      kind: 'liteServer.getBlock',
      id: { kind: 'tonNode.blockIdExt', ...id, shard: id.shard.toString() },
    });
    expect(data.equals(block)).toBe(true);
    const time = engine.query(Functions.liteServer_getTime, { kind: 'liteServer.getTime' });
    await expect(time).rejects.toThrow('unknown method');
    const request = { kind: 'liteServer.getMasterchainInfo' } as const;
    await engine.query(Functions.liteServer_getMasterchainInfo, request, { awaitSeqno: 77, timeout: 3000 });
    expect(waits.at(-1)).toEqual({ seqno: 77, timeoutMs: 3000 });
  });

  it('gets the same responses as our connection from one server', async () => {
    const server = await testServer(answer);
    const engine = await engineFor(server);
    const { connection, untilReady } = testConnection(server);
    await untilReady();
    const ours = decodeResponse(
      'getMasterchainInfo',
      await connection.query(encodeRequest({ method: 'getMasterchainInfo' })),
    );
    const theirs = await engine.query(Functions.liteServer_getMasterchainInfo, {
      kind: 'liteServer.getMasterchainInfo',
    });
    expect(ours).toEqual(info);
    expect(theirs).toMatchObject({
      last: { seqno: ours.last.seqno, rootHash: ours.last.rootHash, fileHash: ours.last.fileHash },
      stateRootHash: ours.stateRootHash,
    });
    expect(server.clients).toBe(2);
  });
});
