import { isIPv4 } from 'node:net';
import { WHOLE_SHARD } from '../../chain/block-id.ts';
import type { ZeroStateId } from '../../chain/tl/names.ts';

/** Where the lite server of a chain is. */
export interface LiteServerPlace {
  /** An IPv4 address: global configs can name no other. */
  readonly host: string;
  readonly port: number;
  /** The ed25519 key of the server, 32 bytes. */
  readonly publicKey: Buffer;
}

/**
 * The text of `global.config.json`, by which lite clients find the lite server and trust the chain. `zeroStateId` names
 * the masterchain's zero state.
 */
export function globalConfigJson(
  { zeroStateId }: { readonly zeroStateId: ZeroStateId },
  place: LiteServerPlace,
): string {
  const { workchain, rootHash, fileHash } = zeroStateId;
  // The name of the whole shard is beyond the integers of JSON.stringify.
  const zeroState = `{
      "@type": "tonNode.blockIdExt",
      "workchain": ${workchain},
      "shard": ${WHOLE_SHARD},
      "seqno": 0,
      "root_hash": "${rootHash.toString('base64')}",
      "file_hash": "${fileHash.toString('base64')}"
    }`;
  return `{
  "@type": "config.global",
  "liteservers": [
    {
      "ip": ${addressNumber(place.host)},
      "port": ${place.port},
      "id": {
        "@type": "pub.ed25519",
        "key": "${place.publicKey.toString('base64')}"
      }
    }
  ],
  "validator": {
    "@type": "validator.config.global",
    "zero_state": ${zeroState},
    "init_block": ${zeroState},
    "hardforks": []
  }
}
`;
}

/** An IPv4 address as a signed number of 32 bits. */
function addressNumber(host: string): number {
  if (!isIPv4(host)) throw new Error(`a global config takes an IPv4 address, not ${host}`);
  return Buffer.from(host.split('.').map(Number)).readInt32BE(0);
}
