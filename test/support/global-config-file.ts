import { writeFileSync } from 'node:fs';
import type { BlockId } from '../../src/chain/block-id.ts';

interface ConfigParts {
  readonly zeroState: BlockId;
  readonly servers: readonly { readonly host: string; readonly port: number; readonly publicKey: Buffer }[];
}

/** Writes a global config that names servers of a network. */
export function writeGlobalConfig(path: string, { zeroState, servers }: ConfigParts): void {
  const { workchain, shard, seqno, rootHash, fileHash } = zeroState;
  const block = {
    workchain,
    shard: String(shard),
    seqno,
    root_hash: rootHash.toString('base64'),
    file_hash: fileHash.toString('base64'),
  };
  const liteservers = servers.map(({ host, port, publicKey }) => ({
    ip: Buffer.from(host.split('.').map(Number)).readInt32BE(),
    port,
    id: { '@type': 'pub.ed25519', key: publicKey.toString('base64') },
  }));
  writeFileSync(path, JSON.stringify({ liteservers, validator: { zero_state: block } }));
}
