/** The lite server of the benchmark: the same responses, from memory, for every client. Argument: the size of the block. */
import { WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { encodeResponse } from '../../src/lite/methods/codec.ts';
import { decodeRequest, startLiteServer } from '../../test/support/lite-server.ts';

/** The message to the parent process when the server listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly publicKeyHex: string;
}

const blockBytes = Number(process.argv[2]);
const hash = Buffer.alloc(32, 7);
const id = { workchain: -1, shard: WHOLE_SHARD, seqno: 45_157_808, rootHash: hash, fileHash: hash };
const info = encodeResponse('getMasterchainInfo', {
  last: id,
  stateRootHash: hash,
  init: { workchain: -1, rootHash: hash, fileHash: hash },
});
const block = encodeResponse('getBlock', { id, data: Buffer.alloc(blockBytes, 'a block') });

const server = await startLiteServer({
  answer: (request) => (decodeRequest(request).method === 'getBlock' ? block : info),
});
const address: ServerAddress = {
  host: server.host,
  port: server.port,
  publicKeyHex: server.publicKey.toString('hex'),
};
process.send?.(address);
process.on('disconnect', () => void server.stop());
