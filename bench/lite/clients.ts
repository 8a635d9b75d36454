import { once } from 'node:events';
import { LiteSingleEngine } from 'ton-lite-client';
import { Functions } from 'ton-lite-client/dist/schema.js';
import { WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { decodeAnswer, encodeRequest } from '../../src/lite/methods/codec.ts';
import type { ServerAddress } from './server-process.ts';

/** A client that is compared: both encode what they ask and decode what they get. */
export interface Client {
  /** The seqno of the newest block. */
  readonly head: () => Promise<number>;
  /** The length of a block. */
  readonly block: () => Promise<number>;
  readonly close: () => void;
}

const hash = Buffer.alloc(32, 7);
const id = { workchain: -1, seqno: 45_157_808, rootHash: hash, fileHash: hash };

/** Our connection and our codecs. */
export async function ours({ host, port, publicKeyHex }: ServerAddress): Promise<Client> {
  const ready = Promise.withResolvers<void>();
  const publicKey = Buffer.from(publicKeyHex, 'hex');
  const connection = createConnection({ host, port, publicKey, onReady: ready.resolve });
  await ready.promise;
  return {
    async head() {
      const answer = await connection.query(encodeRequest({ method: 'getMasterchainInfo' }));
      return decodeAnswer('getMasterchainInfo', answer).last.seqno;
    },
    async block() {
      const request = encodeRequest({ method: 'getBlock', id: { ...id, shard: WHOLE_SHARD } });
      return decodeAnswer('getBlock', await connection.query(request)).data.length;
    },
    close: () => connection.close(),
  };
}

/** The engine and the codecs of ton-lite-client. */
export async function theirs({ host, port, publicKeyHex }: ServerAddress): Promise<Client> {
  const publicKey = Buffer.from(publicKeyHex, 'hex');
  const engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey });
  await once(engine, 'ready');
  const blockId = { kind: 'tonNode.blockIdExt', ...id, shard: WHOLE_SHARD.toString() } as const;
  return {
    async head() {
      const request = { kind: 'liteServer.getMasterchainInfo' } as const;
      return (await engine.query(Functions.liteServer_getMasterchainInfo, request)).last.seqno;
    },
    async block() {
      const request = { kind: 'liteServer.getBlock', id: blockId } as const;
      return (await engine.query(Functions.liteServer_getBlock, request)).data.length;
    },
    close: () => engine.close(),
  };
}
