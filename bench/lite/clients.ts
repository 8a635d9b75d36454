import { once } from 'node:events';
import { LiteSingleEngine } from 'ton-lite-client';
import { Functions } from 'ton-lite-client/dist/schema.js';
import { WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { decodeResponse, encodeRequest } from '../../src/lite/methods/codec.ts';
import type { ServerAddress } from './server-process.ts';

/** A compared client; both encode requests and decode responses. */
export interface Client {
  /** The seqno of the head. */
  readonly head: () => Promise<number>;
  /** The length of a block. */
  readonly block: () => Promise<number>;
  readonly close: () => void;
}

const hash = Buffer.alloc(32, 7);
const id = { workchain: -1, seqno: 45_157_808, rootHash: hash, fileHash: hash };

/** Our connection and codecs. */
export async function createOurClient({ host, port, publicKeyHex }: ServerAddress): Promise<Client> {
  const ready = Promise.withResolvers<void>();
  const publicKey = Buffer.from(publicKeyHex, 'hex');
  const connection = createConnection({ host, port, publicKey, onReady: ready.resolve });
  await ready.promise;
  return {
    async head() {
      const response = await connection.query(encodeRequest({ method: 'getMasterchainInfo' }));
      return decodeResponse('getMasterchainInfo', response).last.seqno;
    },
    async block() {
      const request = encodeRequest({ method: 'getBlock', id: { ...id, shard: WHOLE_SHARD } });
      return decodeResponse('getBlock', await connection.query(request)).data.length;
    },
    close: () => connection.close(),
  };
}

/** The engine and codecs of ton-lite-client. */
export async function createTheirClient({ host, port, publicKeyHex }: ServerAddress): Promise<Client> {
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
